/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** What a log stands on, whatever the colour scheme, and its own colour, as in `styles.css`. */
export const logBack: Colour = [0x10, 0x14, 0x18];
/** See {@link logBack}. */
export const logFore: Colour = [0xe6, 0xe6, 0xe6];

/** What WCAG 2 asks of text (AA). */
const contrastMin = 4.5;
const steps = 10;

/** The colour itself, or as much lighter or darker as it takes to be read on another. A pure function. */
export function readable(colour: Colour, back: Colour): Colour {
  const goal: Colour = luminance(back) < 0.18 ? [255, 255, 255] : [0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const mixed = mix(colour, goal, step / steps);
    if (contrast(mixed, back) >= contrastMin) return mixed;
  }
  return goal;
}

/** From 1 to 21, as WCAG 2 counts it. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

function mix([red, green, blue]: Colour, goal: Colour, part: number): Colour {
  const between = (from: number, to: number) => Math.round(from + (to - from) * part);
  return [between(red, goal[0]), between(green, goal[1]), between(blue, goal[2])];
}

function luminance([red, green, blue]: Colour): number {
  const linear = (value: number) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
