/** At most this many lines above the axis of a chart. */
const MAX_TICKS = 5;

/**
 * Returns the values at which a chart has a line: 0 and the multiples of 1, 2 or 5 times a power of
 * ten, up to the first one that is at least `max`. All are integers.
 */
export function ticksUpTo(max: number): readonly number[] {
  const rough = Math.max(1, max / MAX_TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
