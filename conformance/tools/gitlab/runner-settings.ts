import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestNode } from '../../../e2e/node.ts';
import { helperImage } from './helper-image.ts';

/** Writes what a runner is configured by into `folder`, and answers the file: who it asks for jobs, and where their pods run. */
export async function writeRunnerSettings(
  folder: string,
  node: TestNode,
  account: string,
  { coordinator, sessions }: { coordinator: string; sessions: string },
): Promise<string> {
  const view = ['config', 'view', '--raw', '--minify', '-o', 'json'];
  const [{ cluster }] = JSON.parse(await node.kubectlOk(view)).clusters;
  const authority = join(folder, 'authority.pem');
  writeFileSync(authority, Buffer.from(cluster['certificate-authority-data'], 'base64'));
  const runner = {
    ...{ name: 'judge', url: coordinator, token: 'judge-runner-token', executor: 'kubernetes' },
    ...{ builds_dir: '/builds', output_limit: 65_536 },
  };
  const kubernetes = {
    ...{ host: cluster.server, ca_file: authority, bearer_token: await node.createToken(account) },
    ...{ namespace: 'default', helper_image: helperImage, pull_policy: 'never' },
    ...{ pod_termination_grace_period_seconds: 1, cleanup_grace_period_seconds: 1, poll_timeout: 120 },
  };
  const file = join(folder, 'config.toml');
  const lines = [
    ...['concurrent = 4', 'check_interval = 1', 'log_level = "info"'],
    ...['[session_server]', `listen_address = "${sessions}"`, `advertise_address = "${sessions}"`],
    ...['[[runners]]', ...fieldsOf(runner), '[runners.kubernetes]', ...fieldsOf(kubernetes)],
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const fieldsOf = (values: object) =>
  Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
