import { TestEtcd } from './test-etcd.ts';
import { TestServer } from './test-server.ts';

/** Two API servers on one etcd. */
export class TwoServers {
  readonly etcd: TestEtcd;
  readonly one: TestServer;
  readonly other: TestServer;

  private constructor(etcd: TestEtcd, one: TestServer, other: TestServer) {
    this.etcd = etcd;
    this.one = one;
    this.other = other;
  }

  static async start(): Promise<TwoServers> {
    const etcd = await TestEtcd.start();
    const options = { etcdServers: [etcd.url] };
    const [one, other] = await Promise.all([TestServer.start(options), TestServer.start(options)]);
    return new TwoServers(etcd, one, other);
  }

  /** By turns. */
  at(index: number): TestServer {
    return index % 2 === 0 ? this.one : this.other;
  }

  async close(): Promise<void> {
    await Promise.all([this.one.close(), this.other.close()]);
    await this.etcd.close();
  }
}
