export { type ServiceProxy, type ServiceProxyOptions, startServiceProxy } from './start.ts';
