/** The Gateway API's tests of its definitions' rules, at our API server and at Kubernetes' own: the same comes of each. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { kubeconfigText } from '../peers/joining-node.ts';
import { TwoServers } from '../upstream/two-servers.ts';
import { buildGatewayRules, gatewayApiFolder } from './build.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** What each test says: passed, or how it failed, but for what is another at each run. */
function outcomes(said: string): Record<string, string> {
  const each = said.split(/^=== RUN +/m).slice(1);
  return Object.fromEntries(
    each.map((text) => {
      const [name = '', ...lines] = text.split('\n');
      const words = lines.filter((line) => !/^(=== |--- | +--- |PASS|FAIL|ok )/.test(line));
      return [
        name,
        words
          .join('\n')
          .replaceAll(/\d{12,}/g, 'N')
          .trim(),
      ];
    }),
  );
}

for (const [at, channel] of (['standard', 'experimental'] as const).entries()) {
  test(`rules of the ${channel} channel`, { timeout: 600_000 }, async () => {
    const program = await buildGatewayRules(channel);
    const definitions = join(await gatewayApiFolder(), 'config/crd', channel);
    const folder = mkdtempSync(join(tmpdir(), 'gateway-rules-'));
    const two = await TwoServers.start({ port: 16_491 + at, etcdPort: 23_895 + 2 * at });
    try {
      const said: Record<string, string>[] = [];
      for (const [number, url] of two.urls.entries()) {
        const { authority, admin } = two.own;
        const user = { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) };
        const kubeconfig = join(folder, `${number}.kubeconfig`);
        writeFileSync(kubeconfig, kubeconfigText(url, authority.cert, user));
        const env = { KUBECONFIG: kubeconfig, HOME: folder };
        const kubectl = async (...words: string[]) => {
          const { code, stderr } = await run('kubectl', words, { env });
          assert.equal(code, 0, stderr);
        };
        for (const name of readdirSync(definitions).filter((each) => each.startsWith('gateway')))
          await kubectl('create', '-f', join(definitions, name));
        await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
        const { stdout } = await run(program, ['-test.v'], { env, timeoutMs: 280_000 });
        said.push(outcomes(stdout));
      }
      const [ours = {}, theirs = {}] = said;
      assert.deepEqual(ours, theirs);
      const passed = Object.values(ours).filter((words) => words === '');
      assert.ok(passed.length > 100, `${passed.length} passed`);
    } finally {
      await two.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
