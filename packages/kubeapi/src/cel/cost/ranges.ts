/** Ranges of sizes and costs; nothing is larger than the largest number of 64 bits. */

/** From least to most. */
export interface CostRange {
  min: number;
  max: number;
}

const most = 2 ** 64;
const bounded = (value: number): number => (value > most || Number.isNaN(value) ? most : value);
/** 0 times anything is 0. */
const product = (left: number, right: number): number =>
  left === 0 || right === 0 ? 0 : bounded(left * right);

export const unknownSize: CostRange = { min: 0, max: most };
export const exactly = (value: number): CostRange => ({ min: value, max: value });
export const sumOf = (...ranges: readonly CostRange[]): CostRange =>
  ranges.reduce(
    (left, right) => ({ min: bounded(left.min + right.min), max: bounded(left.max + right.max) }),
    exactly(0),
  );
export const productOf = (left: CostRange, right: CostRange): CostRange => ({
  min: product(left.min, right.min),
  max: product(left.max, right.max),
});
/** Rounded up. */
export const scaled = ({ min, max }: CostRange, factor: number): CostRange => ({
  min: bounded(Math.ceil(min * factor)),
  max: bounded(Math.ceil(max * factor)),
});
export const unionOf = (left: CostRange, right: CostRange): CostRange => ({
  min: Math.min(left.min, right.min),
  max: Math.max(left.max, right.max),
});
