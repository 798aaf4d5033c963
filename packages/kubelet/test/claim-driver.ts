/** A driver of claims with a real gRPC server, whose answers a test chooses. */
import { createGrpcServer, type GrpcServer, type HandlersOf } from '@wherry/cri/grpc';
import * as protocol from '../src/generated/dra-plugin.ts';

export class SampleClaimDriver implements AsyncDisposable {
  /** Calls, with the names of the claims that they are about. */
  readonly calls: [method: 'prepare' | 'unprepare', names: string][] = [];
  /** What the next call fails with. */
  failure = '';
  /** What calls wait for. */
  gate: Promise<void> = Promise.resolve();
  /** What devices of its claims are called to the runtime, where not by the claim. */
  cdiDevices: string[] | undefined;
  readonly endpoint: string;
  readonly #server: GrpcServer;

  constructor(endpoint: string, protobufPackage = 'k8s.io.kubelet.pkg.apis.dra.v1') {
    this.endpoint = endpoint;
    const { messages, services } = protocol;
    const schema = { package: protobufPackage, messages, services };
    this.#server = createGrpcServer([{ schema, name: 'DRAPlugin', handlers: this.#handlers() }]);
  }

  listen(): Promise<void> {
    return this.#server.listen(this.endpoint);
  }

  #handlers(): HandlersOf<protocol.DRAPluginMethods> {
    const failed = () => {
      const { failure } = this;
      this.failure = '';
      return failure;
    };
    return {
      nodePrepareResources: async ({ claims }) => {
        this.calls.push(['prepare', claims.map(({ name }) => name).join()]);
        await this.gate;
        const error = failed();
        const devices = (uid: string) => [
          {
            poolName: 'p',
            deviceName: 'd',
            requestNames: ['unit'],
            cdiDeviceIds: this.cdiDevices ?? [`example.com/unit=${uid}`],
          },
        ];
        return {
          claims: Object.fromEntries(
            claims.map(({ uid }) => [uid, error ? { error } : { devices: devices(uid) }]),
          ),
        };
      },
      nodeUnprepareResources: async ({ claims }) => {
        this.calls.push(['unprepare', claims.map(({ name }) => name).join()]);
        const error = failed();
        return { claims: Object.fromEntries(claims.map(({ uid }) => [uid, { error }])) };
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close(0);
  }
}
