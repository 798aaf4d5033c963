/** Largest gRPC message either side accepts, in bytes: 16 MiB, as k8s.io/cri-client and containerd have it. */
export const messageBytesMax = 16 * 1024 * 1024;
