/** Which selectors of devices are sound, and what they may cost, against upstream's own compiler. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  DeviceSelector,
  DeviceSelectorError,
  loadPatternEngine,
} from '../packages/kubeapi/src/cel/devices/device-selector.ts';
import { buildGoPeer } from './peers/go-peer.ts';
import { Judge } from './peers/kubeapi-judge.ts';

interface Soundness {
  error?: string;
  cost: number;
}

const attributes = 'device.attributes["gpu.example.com"]';
const capacity = 'device.capacity["gpu.example.com"]';
const selectors = [
  'true',
  'device.driver == "gpu.example.com"',
  'device.driver.startsWith("gpu")',
  'device.driver.matches("^gpu.*")',
  'device.allowMultipleAllocations',
  `"memory" in ${capacity}`,
  `${attributes}.model`,
  `${attributes}["model"]`,
  `${attributes}.model == "a100"`,
  `${attributes}.model.matches("^a[0-9]+$")`,
  `${attributes}.model.lowerAscii().contains("a1")`,
  `${attributes}.model.startsWith("a") && ${attributes}.cores > 3`,
  `${attributes}.version.isGreaterThan(semver("1.2.3"))`,
  `${capacity}.memory.compareTo(quantity("10Gi")) >= 0`,
  `${capacity}.memory.isGreaterThan(quantity("10Gi"))`,
  `cel.bind(gpu, ${attributes}, gpu.ready && gpu.model == "a100")`,
  `cel.bind(d, device.driver, d.startsWith("gpu") && d.matches("[a-z]+"))`,
  'cel.bind(1, device.driver, true)',
  'device.attributes.all(domain, domain.startsWith("gpu"))',
  'device.attributes.exists(domain, device.attributes[domain].exists(name, name == "model"))',
  'device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, a + b + c + d != ""))))',
  'device.capacity.all(a, device.capacity[a].all(b, device.capacity[a][b].isGreaterThan(quantity("1"))))',
  `${attributes}.list.all(x, x > 1)`,
  `["a", "b"].all(x, ${attributes}.model != x)`,
  'dyn(true)',
  'device.driver',
  'device.attributes',
  attributes,
  '1 + 1',
  'device.unknown',
  'devices.driver == "a"',
  'device.driver == 1',
  'has(device.driver)',
  `has(${attributes}.model)`,
  `${attributes}.?model.orValue("x") == "y"`,
  `${attributes}.model ? true : false`,
  `device.allowMultipleAllocations ? ${attributes}.a : ${attributes}.b`,
  `${attributes}.model in ["a", "b"]`,
  'type(device.driver) == string',
  'device.driver.includes("a")',
  '',
  '(',
];

it('selectors are sound, and cost at most, what upstream’s compiler finds', async () => {
  await loadPatternEngine();
  const judge = new Judge<{ selectors: Soundness[] }>(
    process.env['JUDGE'] ?? (await buildGoPeer('podrulesjudge')),
  );
  try {
    const theirs = (await judge.ask({ selectors })).selectors;
    const told = (text: string, { error, cost }: Soundness) => [text, error ?? cost];
    assert.deepEqual(
      selectors.map((text) => told(text, soundnessOf(text))),
      selectors.map((text, index) => told(text, comparable(theirs[index]!))),
    );
  } finally {
    judge.close();
  }
});

function soundnessOf(text: string): Soundness {
  try {
    return { cost: new DeviceSelector(text).costMax };
  } catch (error) {
    if (error instanceof DeviceSelectorError) return comparable({ error: error.detail, cost: 0 });
    throw error;
  }
}

/** What a parser expects where it found something else, each says in its own words. */
function comparable({ error, cost }: Soundness): Soundness {
  if (error === undefined) return { cost };
  return { error: error.includes('Syntax error') ? 'Syntax error' : error, cost };
}
