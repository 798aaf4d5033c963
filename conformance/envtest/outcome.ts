/** What came of a package's suite, by the names of its specs. */
export interface Outcome {
  passed: string[];
  failed: string[];
}

/** A spec in Ginkgo's report (`--ginkgo.json-report`), as far as it is looked at. */
interface Spec {
  LeafNodeType: string;
  ContainerHierarchyTexts: string[] | null;
  LeafNodeText: string;
  State: string;
}

interface Suite {
  SpecReports: Spec[] | null;
}

const notRun: ReadonlySet<string> = new Set(['skipped', 'pending']);

/** Reads Ginkgo's report. What stands around specs (BeforeSuite) is told of where it failed. */
export function readReport(text: string): Outcome {
  const specs = (JSON.parse(text) as Suite[]).flatMap(({ SpecReports }) => SpecReports ?? []);
  const outcome: Outcome = { passed: [], failed: [] };
  for (const { LeafNodeType, ContainerHierarchyTexts, LeafNodeText, State } of specs) {
    const name = [...(ContainerHierarchyTexts ?? []), LeafNodeText || LeafNodeType].join(' ');
    if (State === 'passed' && LeafNodeType === 'It') outcome.passed.push(name);
    else if (State !== 'passed' && !notRun.has(State)) outcome.failed.push(name);
  }
  return outcome;
}

/** Reads what Go's own tests and their parts told (`-test.v`); the one that runs the specs is left out, and so is what failed in a part. */
export function readGoTests(text: string, runner?: string): Outcome {
  const ended = [...text.matchAll(/^ *--- (PASS|FAIL): (\S+)/gm)].filter(([, , name]) => name !== runner);
  const named = (word: string) => ended.flatMap(([, outcome, name]) => (outcome === word ? [name!] : []));
  const failed = named('FAIL');
  return {
    passed: named('PASS'),
    failed: failed.filter((name) => !failed.some((part) => part.startsWith(`${name}/`))),
  };
}

/** Specs that fail for reasons of upstream's own, and these. */
export type KnownFailures = Readonly<Record<string, string>>;

/** What failed and is not known to, and what is known to fail and did not. */
export function surprises({ failed }: Outcome, known: KnownFailures): { unknown: string[]; gone: string[] } {
  return {
    unknown: failed.filter((name) => !Object.hasOwn(known, name)),
    gone: Object.keys(known).filter((name) => !failed.includes(name)),
  };
}
