/** The clients for Java on a whole node: fabric8's, over three HTTP clients. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../e2e/command.ts';
import { testImage } from '../e2e/image.ts';
import { TestNode } from '../e2e/node.ts';
import { buildJavaProgram, javaWords } from './javaclients/build.ts';

const topics = ['apply', 'credentials', 'files', 'forwarding', 'logs', 'objects', 'sessions', 'workloads'];
/** The HTTP clients that fabric8's client comes with. */
const httpClients = ['jdk', 'okhttp', 'vertx'];
let node: TestNode;

before(async () => {
  buildJavaProgram();
  node = await TestNode.start('java');
});
after(() => node?.remove());

for (const client of httpClients) {
  describe(`fabric8's client over ${client}`, () => {
    for (const topic of topics) {
      test(`finds everything as it should be: ${topic}`, async () => {
        const words = [...javaWords(), node.kubeconfig, testImage, client, topic];
        const { code, stdout, stderr } = await run('java', words, { timeoutMs: 240_000 });
        assert.equal(code, 0, stdout + stderr);
      });
    }
  });
}
