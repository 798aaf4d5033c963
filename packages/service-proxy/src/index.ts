export type { ProxyHealthReport } from './health/proxy-health.ts';
export { type ServiceProxy, type ServiceProxyOptions, startServiceProxy } from './start.ts';
export { type LocalTraffic, type NodePortAddresses, placeProblem } from './table/places.ts';
