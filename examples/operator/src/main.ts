import { createKubeClient } from '@wherry/client';
import { startOperator } from './operator.ts';

const client = createKubeClient();
const operator = startOperator(client);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await operator.close();
    client.close();
  });
}
