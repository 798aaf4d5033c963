import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from './limits.ts';
import { createLogger } from './logger.ts';
import { MetricsRegistry } from './metrics.ts';

describe('createLogger', () => {
  const linesOf = (level: 'debug' | 'warn') => {
    const lines: string[] = [];
    const logger = createLogger('part', { level, write: (line) => lines.push(line) });
    return { lines, logger };
  };

  it('writes time, level, component, sentence and facts on one line', () => {
    const { lines, logger } = linesOf('debug');
    logger
      .with({ pod: 'web' })
      .info('it runs', { ip: '10.0.0.1', text: 'two words', error: new Error('a\nb') });
    assert.match(
      lines[0] ?? '',
      /^\d{4}-\d\d-\d\dT[\d:.]+Z info part "it runs" pod=web ip=10\.0\.0\.1 text="two words" error="a\\nb"$/,
    );
  });

  it('drops what is below its level', () => {
    const { lines, logger } = linesOf('warn');
    logger.info('quiet');
    logger.warn('loud');
    assert.equal(lines.length, 1);
  });
});

describe('createLogger with a level that changes', () => {
  it('drops by the level of the moment, also in loggers made from it', () => {
    const lines: string[] = [];
    let level: 'debug' | 'info' = 'info';
    const logger = createLogger('part', { level: () => level, write: (line) => lines.push(line) });
    const child = logger.with({ pod: 'web' });
    child.debug('before');
    level = 'debug';
    child.debug('after');
    assert.deepEqual([lines.length, /after/.test(lines[0] ?? '')], [1, true]);
  });
});

describe('MetricsRegistry', () => {
  it('shows no series whose labels stand for nothing any more', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter('calls_total', 'Calls.');
    const histogram = registry.histogram('seconds', 'Seconds.', [1]);
    for (const pod of ['a', 'b']) {
      counter.add(1, { pod });
      histogram.observe(0.5, { pod });
    }
    counter.forget({ pod: 'a' });
    histogram.forget({ pod: 'a' });
    assert.doesNotMatch(registry.render(), /pod="a"/);
    assert.match(registry.render(), /calls_total\{pod="b"\} 1\n/);
    assert.match(registry.render(), /seconds_count\{pod="b"\} 1\n/);
  });

  it('renders counters, gauges and histograms in the text format', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter('calls_total', 'Calls.');
    counter.add(1, { code: '200' });
    counter.add(2, { code: 'a"b\\c\n' });
    registry.gauge('open', 'Open.').set(3);
    registry.histogram('took_seconds', 'Took.', [0.1, 1]).observe(0.5);
    assert.equal(
      registry.render(),
      [
        '# HELP calls_total Calls.',
        '# TYPE calls_total counter',
        'calls_total{code="200"} 1',
        'calls_total{code="a\\"b\\\\c\\n"} 2',
        '# HELP open Open.',
        '# TYPE open gauge',
        'open 3',
        '# HELP took_seconds Took.',
        '# TYPE took_seconds histogram',
        'took_seconds_bucket{le="0.1"} 0',
        'took_seconds_bucket{le="1"} 1',
        'took_seconds_bucket{le="+Inf"} 1',
        'took_seconds_sum 0.5',
        'took_seconds_count 1',
        '',
      ].join('\n'),
    );
    assert.equal(counter.value({ code: '200' }), 1);
  });

  it('counts in a series that is held as in one that is named, until it is forgotten', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter('calls_total', 'Calls.');
    const gauge = registry.gauge('open', 'Open.');
    const histogram = registry.histogram('seconds', 'Seconds.', [1, 2]);
    const pod = { pod: 'a' };
    const held = { calls: counter.series(pod), open: gauge.series(pod), seconds: histogram.series(pod) };
    held.calls.add(1);
    counter.add(2, pod);
    held.open.set(5);
    held.open.add(-1);
    for (const value of [1, 1.5, 3, Number.NaN]) held.seconds.observe(value);
    const text = registry.render();
    assert.match(text, /^calls_total\{pod="a"\} 3$/m);
    assert.match(text, /^open\{pod="a"\} 4$/m);
    assert.deepEqual(
      [...text.matchAll(/^seconds_bucket\{pod="a",le="(.*)"\} (\d)$/gm)].map(([, le, count]) => [le, count]),
      [
        ['1', '1'],
        ['2', '2'],
        ['+Inf', '4'],
      ],
    );
    counter.forget(pod);
    held.calls.add(1);
    assert.doesNotMatch(registry.render(), /^calls_total\{/m);
  });

  it('shows what has no labels before anything was counted', () => {
    const registry = new MetricsRegistry();
    registry.plainCounter('calls_total', 'Calls.');
    registry.plainGauge('open', 'Open.');
    registry.plainHistogram('took_seconds', 'Took.', [1]);
    const series = registry.render().split('\n');
    assert.deepEqual(
      series.filter((line) => line && !line.startsWith('#')),
      [
        'calls_total 0',
        'open 0',
        'took_seconds_bucket{le="1"} 0',
        'took_seconds_bucket{le="+Inf"} 0',
        'took_seconds_sum 0',
        'took_seconds_count 0',
      ],
    );
  });

  it('keeps a bounded number of series, and counts the rest together', () => {
    const registry = new MetricsRegistry();
    const counter = registry.counter('calls_total', 'Calls.');
    const histogram = registry.histogram('took_seconds', 'Took.', [1]);
    const calls = 3 * limits.seriesPerMetricMax;
    for (let at = 0; at < calls; at++) {
      counter.add(1, { path: `/${at}`, code: '200' });
      histogram.observe(0.5, { path: `/${at}` });
    }
    assert.equal(counter.value({ path: '/0', code: '200' }), 1);
    const rest = calls - limits.seriesPerMetricMax;
    assert.equal(counter.value({ path: 'overflow', code: 'overflow' }), rest);
    const lines = registry.render().split('\n');
    assert.equal(
      lines.filter((line) => line.startsWith('calls_total')).length,
      limits.seriesPerMetricMax + 1,
    );
    assert.ok(lines.includes(`took_seconds_count{path="overflow"} ${rest}`));
  });

  it('cuts the values of labels', () => {
    const registry = new MetricsRegistry();
    registry.counter('calls_total', 'Calls.').add(1, { path: 'x'.repeat(100_000) });
    assert.ok(registry.render().length < 1_000);
  });

  it('refuses a name twice', () => {
    const registry = new MetricsRegistry();
    registry.counter('calls_total', 'Calls.');
    assert.throws(() => registry.gauge('calls_total', 'Again.'), /"calls_total" is registered twice/);
  });
});
