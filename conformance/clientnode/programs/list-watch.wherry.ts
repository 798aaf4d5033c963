import { createKubeClient } from '@wherry/client';

const client = createKubeClient();
for await (const { type, object } of client.watch('ConfigMap')) {
  console.log(type, object.metadata.name);
  if (object.metadata.name === 'signal') break;
}
