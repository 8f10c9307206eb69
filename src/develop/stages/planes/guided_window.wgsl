// Twin of window_at.
struct Window { first: i32, last: i32, has_low: bool, has_high: bool, weight: f32 }

fn window_at(centre: i32, size: i32) -> Window {
  let radius = i32(params.radius);
  let low = centre - radius - 1;
  let high = centre + radius + 1;
  var window = Window(max(low + 1, 0), min(high - 1, size - 1), low >= 0, high < size, 0.0f);
  window.weight = f32(window.last - window.first + 1);
  if (window.has_low) { window.weight += params.edge; }
  if (window.has_high) { window.weight += params.edge; }
  return window;
}
