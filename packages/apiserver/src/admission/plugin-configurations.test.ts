import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'node:test';
import { MetricsRegistry } from '@wherry/telemetry';
import { TestParts } from '../../test/test-parts.ts';
import { PluginConfigurations } from './plugin-configurations.ts';
import { enabledPlugins } from './plugins.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-plug-ins-'));
after(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';
const write = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe('an --admission-control-config-file', () => {
  it('says something to plug-ins, in it or in a file beside it; the first of two entries counts', () => {
    write('beside.yaml', 'podNodeSelectorPluginConfig: {a: b=c}\n');
    const entries =
      '- {name: A, configuration: {kind: X}}\n- {name: A}\n- {name: B, path: beside.yaml}\n- {name: C}\n';
    const read = new PluginConfigurations(write('a.yaml', `${head}plugins:\n${entries}`));
    assert.deepEqual(read.names, ['A', 'B', 'C']);
    assert.deepEqual(read.of('A'), { file: join(folder, 'a.yaml'), document: { kind: 'X' } });
    const document = { podNodeSelectorPluginConfig: { a: 'b=c' } };
    assert.deepEqual(read.of('B'), { file: join(folder, 'beside.yaml'), document });
    assert.deepEqual([read.of('C'), read.of('D')], [undefined, undefined]);
  });

  it('may be a plug-in’s own document, as long ago', () => {
    const read = new PluginConfigurations(write('old.yaml', 'podNodeSelectorPluginConfig: {}\n'));
    assert.deepEqual(
      [read.names, read.of('PodNodeSelector')?.file],
      [['PodNodeSelector'], join(folder, 'old.yaml')],
    );
  });

  it('is refused by its name and the place of what is wrong', () => {
    const refusal = (text: string) => {
      try {
        return String(new PluginConfigurations(write('bad.yaml', text)).of('A'));
      } catch (error) {
        return (error as Error).message.replace(folder, '');
      }
    };
    const versions = 'apiserver.config.k8s.io/v1 or apiserver.k8s.io/v1alpha1';
    assert.deepEqual(
      [
        '',
        'kind: AdmissionConfiguration\n',
        `${head}plugin: []\n`,
        `${head}plugins:\n- {name: A, file: b}\n`,
      ].map(refusal),
      [
        '"/bad.yaml": the file is empty',
        `"/bad.yaml": apiVersion must be ${versions}`,
        '"/bad.yaml": unknown field "plugin"',
        '"/bad.yaml": unknown field "plugins[0].file"',
      ],
    );
    assert.match(refusal(`${head}plugins:\n- {name: A, path: none.yaml}\n`), /^"\/none\.yaml": ENOENT/);
  });
});

describe('what is said to a plug-in', () => {
  let parts: TestParts;
  beforeEach(async () => {
    parts = await TestParts.start();
  });
  afterEach(() => parts.close());

  const start = (on: string[], text?: string) =>
    enabledPlugins(
      { ...parts.all, metrics: new MetricsRegistry() },
      {
        enableAdmissionPlugins: on,
        admissionControlConfigFile: text === undefined ? undefined : write('admission.yaml', text),
      },
    );
  const say = (name: string, configuration: object) => () =>
    start([name], `${head}plugins:\n- ${JSON.stringify({ name, configuration })}\n`);
  const message = (start: () => unknown) => {
    try {
      start();
    } catch (error) {
      return (error as Error).message.replace(`"${join(folder, 'admission.yaml')}": `, '');
    }
    return 'started';
  };

  it('is not looked at while it is off', () => {
    const config = { name: 'EventRateLimit', configuration: { kind: 'Nothing' } };
    assert.equal(
      message(() => start([], `${head}plugins:\n- ${JSON.stringify(config)}\n`)),
      'started',
    );
  });

  it('has to be somebody who can be told something', () => {
    const told = message(() => start([], `${head}plugins:\n- name: AlwaysPullImages\n`));
    assert.match(
      told,
      /^nothing can be said to a plug-in "AlwaysPullImages"; there are ImagePolicyWebhook, PodSecurity, /,
    );
  });

  it('has to be there for those that do nothing without it', () => {
    assert.equal(
      message(() => start(['EventRateLimit'])),
      `couldn't init admission plugin "EventRateLimit": limits: Invalid value: []: must not be empty`,
    );
    assert.equal(
      message(() => start(['ImagePolicyWebhook'])),
      `couldn't init admission plugin "ImagePolicyWebhook": no config specified`,
    );
  });

  it('is refused where it makes no sense', () => {
    const version = (group: string, kind = 'Configuration') => ({ apiVersion: group, kind });
    const rates = (...limits: object[]) => ({
      ...version('eventratelimit.admission.k8s.io/v1alpha1'),
      limits,
    });
    const tolerations = (list: unknown) => ({
      ...version('podtolerationrestriction.admission.k8s.io/v1alpha1'),
      default: list,
    });
    const quotas = (rule: object) => ({
      ...version('apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration'),
      limitedResources: [rule],
    });
    const webhooks = (more: object) => ({
      ...version('apiserver.config.k8s.io/v1', 'WebhookAdmissionConfiguration'),
      ...more,
    });
    const wrong: [plugin: string, configuration: object, why: RegExp][] = [
      [
        'EventRateLimit',
        rates({ type: 'Pod', qps: 1, burst: 1 }),
        /limits\[0\]\.type: Unsupported value: "Pod"/,
      ],
      [
        'EventRateLimit',
        rates({ type: 'User', qps: 0, burst: -1, cacheSize: -1 }),
        /burst: .*, limits\[0\]\.qps: .*cacheSize/,
      ],
      [
        'EventRateLimit',
        rates({ type: 'User', qps: 1.5, burst: 1 }),
        /limits\[0\]\.qps must be a whole number/,
      ],
      ['EventRateLimit', { ...rates(), apiVersion: 'v1' }, /apiVersion must be eventratelimit/],
      ['PodTolerationRestriction', tolerations([{ operator: 'Some' }]), /default\[0\]\.operator: /],
      ['PodTolerationRestriction', tolerations([{ keys: 'a' }]), /unknown field "default\[0\]\.keys"/],
      ['PodNodeSelector', { podNodeSelectorPluginConfig: { a: 'b' } }, /invalid selector: \[b\]$/],
      [
        'PodNodeSelector',
        { podNodeSelectorPluginConfig: ['b=c'] },
        /podNodeSelectorPluginConfig must be an object/,
      ],
      [
        'ImagePolicyWebhook',
        { imagePolicy: { allowTTL: 1801 } },
        /allowTTL: valid value is between 1s and 30m0s, got 30m1s$/,
      ],
      ['ImagePolicyWebhook', { imagePolicy: { kubeConfigFile: join(folder, 'none') } }, /none/],
      ['ResourceQuota', quotas({}), /limitedResources\[0\]\.resource: Required value$/],
      [
        'ResourceQuota',
        quotas({ resource: 'pods', matchScopes: [{ scopeName: 'A' }] }),
        /scopeName must be one of Terminating/,
      ],
      [
        'MutatingAdmissionWebhook',
        webhooks({ kubeConfigFile: 'a' }),
        /kubeConfigFile must be an absolute file path$/,
      ],
      [
        'ValidatingAdmissionWebhook',
        webhooks({ staticManifestsDir: '/a' }),
        /staticManifestsDir needs the feature gate/,
      ],
    ];
    for (const [plugin, configuration, why] of wrong) assert.match(message(say(plugin, configuration)), why);
  });
});
