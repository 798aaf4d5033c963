import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { silentLogger } from '../logger.ts';
import {
  endpointProblem,
  noTracer,
  openTracer,
  readTraceparent,
  readTracingSettings,
  spanOfCaller,
  type Tracer,
  traceIdOf,
} from './index.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const caller = { traceId, spanId, isSampled: true };

describe('a traceparent', () => {
  it('is read as W3C has it, later versions too, and anything else is none', () => {
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-01`), caller);
    assert.deepEqual(readTraceparent(`00-${traceId}-${spanId}-02`), { ...caller, isSampled: false });
    assert.deepEqual(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes`), caller);
    const bad = [
      `ff-${traceId}-${spanId}-01`,
      `00-${traceId}-${spanId}-01-more`,
      `00-${traceId.toUpperCase()}-${spanId}-01`,
      `00-${'0'.repeat(32)}-${spanId}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `00-${traceId}-${spanId}`,
      '',
    ];
    for (const text of bad) assert.equal(readTraceparent(text), undefined, text);
    assert.equal(readTraceparent([`00-${traceId}-${spanId}-01`, 'x']), undefined, 'two of them');
  });

  it('of a stranger is named beside the span, and no more', () => {
    assert.deepEqual(spanOfCaller(caller, true), { parent: caller });
    assert.deepEqual(spanOfCaller(caller, false), { parent: 'none', links: [caller] });
    assert.deepEqual(spanOfCaller(undefined, true), { parent: 'none', links: [undefined] });
  });
});

it('a UID is a trace’s ID, with and without hyphens; what is no 128 bits is none', () => {
  assert.equal(traceIdOf('0AF76519-16cd-43dd-8448-eb211c80319c'), traceId);
  assert.equal(traceIdOf(traceId), traceId);
  for (const uid of ['', 'uid-1', '0'.repeat(32), `${traceId}0`]) assert.equal(traceIdOf(uid), undefined);
});

it('settings are refused by the field that is wrong', () => {
  assert.deepEqual(readTracingSettings({ endpoint: 'localhost:4317', samplingRatePerMillion: 5 }), {
    endpoint: 'localhost:4317',
    samplingRatePerMillion: 5,
  });
  for (const endpoint of ['collector:4317', 'dns:///collector:4317', 'unix:///run/otlp.sock'])
    assert.equal(endpointProblem(endpoint), undefined, endpoint);
  assert.match(endpointProblem('https://collector') ?? '', /^has the scheme https; /);
  assert.throws(() => readTracingSettings({ endpoint: 'https://x' }), /^Error: endpoint: "https:\/\/x" has/);
  assert.throws(() => readTracingSettings({ endpoint: 4317 }), /^Error: endpoint: 4317 is not a string$/);
  for (const rate of [-1, 1_000_001, 0.5, '1'])
    assert.throws(
      () => readTracingSettings({ samplingRatePerMillion: rate }),
      /^Error: samplingRate.* is not a/,
    );
  assert.throws(() => readTracingSettings({ sampling: 1 }), /^Error: sampling: there is no such field$/);
  assert.throws(() => readTracingSettings([]), /is not an object/);
});

describe('a tracer with a collector', () => {
  const withTracer = async (
    samplingRatePerMillion: number,
    use: (tracer: Tracer) => Promise<void> | void,
  ) => {
    // It takes connections and says nothing: what is sent is conformance/tracing.test.ts.
    const collector = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as { port: number };
    const settings = { endpoint: `127.0.0.1:${port}`, samplingRatePerMillion };
    const tracer = await openTracer(settings, { service: 'test', logger: silentLogger });
    try {
      await use(tracer);
    } finally {
      collector.close();
    }
  };
  const every = 1_000_000;

  it('puts what begins in work below it, and what its timers begin when it is over nowhere', () =>
    withTracer(every, async (tracer) => {
      let late: Promise<string | undefined> | undefined;
      const outer = await tracer.within('outer', {}, async (span) => {
        const inner = tracer.begin('inner');
        assert.equal(inner.context?.traceId, span.context?.traceId);
        assert.deepEqual(tracer.headers(), {
          traceparent: `00-${span.context?.traceId}-${span.context?.spanId}-01`,
        });
        late = new Promise((resolve) => setTimeout(() => resolve(tracer.begin('late').context?.traceId), 5));
        return span.context?.traceId;
      });
      assert.notEqual(await late, outer);
      assert.deepEqual(tracer.headers(), {});
    }));

  it('goes on with the trace of a caller, sampled as the caller has it', () =>
    withTracer(0, (tracer) => {
      assert.deepEqual(
        { ...tracer.begin('below', { parent: caller }).context, spanId },
        { traceId, spanId, isSampled: true },
      );
      assert.equal(tracer.begin('own').context?.isSampled, false);
    }));

  it('knows the root of a trace by its ID, and whether it is sent, before it is begun', async () => {
    const id = '9c578d42c395499cbf7cd631217b16c5';
    await withTracer(every, (tracer) => {
      const root = tracer.rootOf(id);
      assert.deepEqual(root, { traceId: id, spanId: id.slice(16), isSampled: true });
      assert.deepEqual(tracer.begin('root', { as: root }).context, root);
      assert.equal(tracer.rootOf(undefined), undefined);
      assert.notEqual(tracer.begin('next').context?.traceId, id, 'the next one is random again');
    });
    await withTracer(0, (tracer) => assert.equal(tracer.rootOf(id)?.isSampled, false));
  });

  it('lets a failure of the work through, and says it of the span once', () =>
    withTracer(every, async (tracer) => {
      await assert.rejects(
        tracer.within('fails', {}, () => Promise.reject(new Error('no'))),
        /^Error: no$/,
      );
    }));
});

it('without settings nothing is loaded, and work is done all the same', async () => {
  assert.equal(await openTracer(undefined, { service: 'test', logger: silentLogger }), noTracer);
  assert.equal(await noTracer.within('work', {}, async ({ context }) => context ?? 'none'), 'none');
  const script = `
    import { registerHooks } from 'node:module';
    let asked = 0;
    registerHooks({
      resolve(name, context, next) {
        if (name.startsWith('@opentelemetry/')) asked += 1;
        return next(name, context);
      },
    });
    const { openTracer } = await import('@wherry/telemetry');
    await openTracer(undefined, { service: 'x' });
    const before = asked;
    await openTracer({}, { service: 'x' });
    console.log(before, asked > 0);
    process.exit();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  });
  assert.equal(stdout.trim(), '0 true');
});

it('where OpenTelemetry is not installed, the error says what to install', async () => {
  const script = `
    import { registerHooks } from 'node:module';
    registerHooks({
      resolve(name, context, next) {
        if (!name.startsWith('@opentelemetry/')) return next(name, context);
        throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });
    const { openTracer } = await import('@wherry/telemetry');
    await openTracer({}, { service: 'x' }).catch((error) => console.log(error.code, error.message));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
  });
  assert.match(
    stdout,
    /^tracing-packages-missing .*: npm install @opentelemetry\/api @opentelemetry\/sdk-trace /,
  );
});
