import { systemClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../../test/test-etcd.ts';
import { etcdForm } from '../../objects/etcd-form.ts';
import { storeSuite } from '../store-suite.ts';
import { EtcdStore } from './etcd-store.ts';

const logger = createLogger('apiserver', { level: 'error' });
let etcd: TestEtcd;
storeSuite({
  async setup() {
    etcd = await TestEtcd.start();
    return EtcdStore.open({ servers: [etcd.url] }, { clock: systemClock, logger, values: etcdForm });
  },
  teardown: () => etcd.close(),
});
