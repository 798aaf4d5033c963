import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { TestKms } from '../../../test/test-kms.ts';
import { KeyNeeded, withKeys } from '../../store/sealing.ts';
import { EncryptionFigures } from '../encryption-figures.ts';
import { KmsKeys } from './kms-keys.ts';

const logger = createLogger('apiserver', { level: 'error', write: () => {} });
const place = Buffer.from('/registry/secrets/default/a');
const text = Buffer.from('{"kind":"Secret"}');

async function begin(test: TestContext) {
  const kms = await TestKms.start();
  test.after(() => kms.close());
  const clock = new FakeClock();
  const open = async () => {
    const settings = { name: 'test', endpoint: kms.endpoint, timeoutMs: 1_000 };
    const keys = await KmsKeys.open(settings, {
      clock,
      logger,
      figures: new EncryptionFigures(new MetricsRegistry(), clock),
    });
    test.after(() => keys.close());
    return keys;
  };
  return { kms, clock, open };
}

it('one seed seals many values, and is opened once by who has not made it', async (test) => {
  const { kms, open } = await begin(test);
  const [one, other] = [await open(), await open()];
  const sealed = [1, 2, 3].map(() => one.seal(text, place));
  for (const bytes of sealed) {
    assert.deepEqual(one.open(bytes, place), text);
    assert.ok(!bytes.includes('Secret'));
  }
  assert.ok(!kms.asked.includes('decrypt'));
  const opened = await Promise.all(sealed.map((bytes) => withKeys(() => other.open(bytes, place))));
  assert.deepEqual(opened, [text, text, text]);
  assert.equal(kms.asked.filter((call) => call === 'decrypt').length, 1);
  assert.equal(other.open(sealed[0]!, Buffer.from('/registry/secrets/default/b')), undefined);
});

it('a new key of the program seals from the next look on, and makes what was sealed stale', async (test) => {
  const { kms, open } = await begin(test);
  const keys = await open();
  const before = keys.seal(text, place);
  const { generation } = keys;
  await keys.lookAgain();
  assert.deepEqual([keys.isStale(before), keys.generation], [false, generation]);
  kms.keyId = 'two';
  await keys.lookAgain();
  assert.ok(keys.generation > generation);
  assert.equal(keys.isStale(before), true);
  assert.equal(keys.isStale(keys.seal(text, place)), false);
  assert.deepEqual(keys.open(before, place), text);
});

it('while the program is away, what is known is read, and three minutes long written', async (test) => {
  const { kms, clock, open } = await begin(test);
  const keys = await open();
  const sealed = keys.seal(text, place);
  await kms.stop();
  await keys.lookAgain();
  assert.match(keys.problem ?? '', /does not answer/);
  clock.advance(179_000);
  keys.seal(text, place);
  clock.advance(2_000);
  assert.throws(() => keys.seal(text, place), { code: 'unavailable' });
  assert.deepEqual(keys.open(sealed, place), text);
  const stranger = await open();
  assert.throws(() => stranger.seal(text, place), { code: 'unavailable' });
  await assert.rejects(async () => withKeys(() => stranger.open(sealed, place)), { code: 'unavailable' });
  await kms.startAgain();
  await keys.lookAgain();
  assert.equal(keys.problem, undefined);
  keys.seal(text, place);
  assert.deepEqual(await withKeys(() => stranger.open(sealed, place)), text);
});

it('a seed that the program does not open is not asked for again for a while', async (test) => {
  const { kms, clock, open } = await begin(test);
  const sealed = (await open()).seal(text, place);
  kms.lost.add('one');
  kms.keyId = 'two';
  const keys = await open();
  assert.equal(await withKeys(() => keys.open(sealed, place)), undefined);
  assert.equal(keys.open(sealed, place), undefined);
  clock.advance(10_001);
  kms.lost.clear();
  assert.deepEqual(await withKeys(() => keys.open(sealed, place)), text);
});

it('what is damaged, or no message, is opened by nobody and asks nobody', async (test) => {
  const { open } = await begin(test);
  const keys = await open();
  const sealed = keys.seal(text, place);
  for (const bytes of [Buffer.alloc(0), sealed.subarray(0, 9), Buffer.from('{}'), Buffer.alloc(40, 255)])
    assert.equal(keys.open(bytes, place), undefined);
  const flipped = Buffer.from(sealed);
  flipped[40]! ^= 1;
  try {
    assert.equal(await withKeys(() => keys.open(flipped, place)), undefined);
  } catch (error) {
    assert.ok(!(error instanceof KeyNeeded));
  }
});

it('a program that is not well, or speaks another version, is told of; its key is followed', async (test) => {
  const { kms, open } = await begin(test);
  const keys = await open();
  kms.healthz = 'bad';
  kms.keyId = 'two';
  await keys.lookAgain();
  assert.equal(keys.problem, 'it says that it is not well');
  assert.ok(keys.seal(text, place).includes('two'));
  kms.healthz = 'ok';
  kms.version = 'v2beta1';
  await keys.lookAgain();
  assert.equal(keys.problem, 'its version has changed');
  kms.keyId = '';
  await keys.lookAgain();
  assert.match(keys.problem ?? '', /version has changed|no id/);
});
