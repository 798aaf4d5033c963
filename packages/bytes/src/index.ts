export * from './browser/index.ts';
export { fromDuplex, fromReadable, fromWritable, type NodeAdapterOptions } from './node/adapters.ts';
export { JudgedConnections } from './node/judged-connections.ts';
export { isLoopbackHost } from './node/loopback.ts';
export { type KeepingAgent, retireAgent } from './node/retire-agent.ts';
export { closeServer, listen, trackSockets } from './node/server.ts';
export { type ToDuplexOptions, toDuplex } from './node/to-duplex.ts';
