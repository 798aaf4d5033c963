export type { ProxyHealthReport } from './health/proxy-health.ts';
export { type ServiceProxy, type ServiceProxyOptions, startServiceProxy } from './start.ts';
