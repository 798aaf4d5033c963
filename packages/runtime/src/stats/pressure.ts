import type { Input, PsiData, PsiStats } from '@wherry/cri';
import { type PressureResource, readPressure, type Stall } from '@wherry/linux';

/** A group's pressure as CRI tells it, totals in nanoseconds; undefined where there is none. */
export function toPsi(unified: string | null, resource: PressureResource): Input<PsiStats> | undefined {
  const pressure = readPressure(unified, resource);
  return pressure && { some: toData(pressure.some), full: toData(pressure.full) };
}

function toData(stall: Stall | undefined): Input<PsiData> | undefined {
  if (!stall) return undefined;
  const { totalNs: total, ...averages } = stall;
  return { total, ...averages };
}
