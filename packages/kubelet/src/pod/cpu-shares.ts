const sharesMin = 2;
const sharesMax = 262_144;
const quotaMinUs = 1_000;

/** cpu.shares of a request in millicores. */
export function cpuShares(milliCpu: number): number {
  if (milliCpu === 0) return sharesMin;
  return Math.min(sharesMax, Math.max(sharesMin, Math.floor((milliCpu * 1_024) / 1_000)));
}

/** cpu.cfs_quota_us of a limit in millicores; 0 when there is none. */
export function cpuQuotaUs(milliCpu: number, periodUs: number): number {
  if (milliCpu === 0) return 0;
  return Math.max(quotaMinUs, Math.floor((milliCpu * periodUs) / 1_000));
}
