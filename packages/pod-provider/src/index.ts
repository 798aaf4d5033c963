export type {
  ExecCommand,
  PodProvider,
  ProcessIo,
  ProvidedContainer,
  ProvidedImage,
  ProvidedMount,
  ProvidedPod,
  ProvidedProcess,
  ProvidedUsage,
} from './provider.ts';
export { type RunningProvider, type ServeProviderOptions, serveProvider } from './serve-provider.ts';
