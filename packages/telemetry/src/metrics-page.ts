import { type Labels, renderLabels } from './series-table.ts';

/** Puts one sample of a family on the page; `atMs` is when it was measured, where that was not just now. */
export type SampleWriter = (value: number, labels?: Labels, atMs?: number) => void;

/**
 * Figures that were measured elsewhere, for one answer in the Prometheus text format 0.0.4. It keeps nothing beyond that
 * answer, and bounds nothing: who fills it knows how many series there can be.
 */
export class MetricsPage {
  readonly #families = new Map<string, { head: string; lines: string[] }>();

  /** A number that only grows. Asked for again, it is the same family. */
  counter(name: string, help: string): SampleWriter {
    return this.#family(name, 'counter', help);
  }

  /** A number that goes both ways. Asked for again, it is the same family. */
  gauge(name: string, help: string): SampleWriter {
    return this.#family(name, 'gauge', help);
  }

  /** The page; families without a sample are left out. */
  render(): string {
    const families = [...this.#families.values()].filter(({ lines }) => lines.length > 0);
    return families.map(({ head, lines }) => `${head}${lines.join('\n')}\n`).join('');
  }

  #family(name: string, type: 'counter' | 'gauge', help: string): SampleWriter {
    const family = this.#families.get(name) ?? {
      head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`,
      lines: [],
    };
    this.#families.set(name, family);
    return (value, labels = {}, atMs) => {
      const stamp = atMs === undefined ? '' : ` ${Math.trunc(atMs)}`;
      family.lines.push(`${name}${renderLabels(labels)} ${valueText(value)}${stamp}`);
    };
  }
}

/** Infinity is written as Prometheus has it. */
function valueText(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
