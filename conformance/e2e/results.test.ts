import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reasonOf } from './reasons.ts';
import { hasFailed, resultsSection, withMissing, withSection } from './results.ts';

const specOf = (name: string, state: string) => ({
  ...{ LeafNodeText: name, ContainerHierarchyTexts: ['[sig-apps] Job'], LeafNodeType: 'It', State: state },
  Failure: { Message: 'it was\nred' },
});
const sectionOf = (focus: string, ...states: string[]) =>
  resultsSection(
    states.map((state, index) => specOf(`spec ${index}`, state)),
    { flags: `--focus ${focus}`, date: new Date(0), reasonOf },
  );

it('results of a run stand in place of those of the same focus, and the others stay', () => {
  const [apps, network] = [sectionOf('apps', 'passed', 'failed'), sectionOf('network', 'passed')];
  const page = withSection(withSection('', apps), network);
  assert.match(
    page,
    /1 of 2 specs passed.*\* \[sig-apps\] Job spec 1: \*\*ours\*\*: it was\n.*1 of 1 specs/s,
  );
  assert.equal(withSection(page, apps), page);
  const better = withSection(page, sectionOf('apps', 'passed', 'passed'));
  assert.match(better, /2 of 2 specs.*1 of 1 specs/s);
  assert.doesNotMatch(better, /Not passed:/);
});

it('a spec that passed only when nothing ran beside it is told from the others', () => {
  const specs = [specOf('quiet', 'passed'), { ...specOf('late', 'passed'), SecondChance: true }];
  const section = resultsSection(specs, { flags: '--nodes 2', date: new Date(0), reasonOf });
  assert.match(
    section,
    /--nodes 2\n\n.*2 of 2 specs passed, 1 of them alone, after a failure beside others\.\n/,
  );
});

it('what a list names and no run had is not passed', () => {
  const specs = withMissing([specOf('one', 'passed')], ['[sig-apps] Job one', '[sig-cli] two']);
  const section = resultsSection(specs, { flags: '--all', date: new Date(0), reasonOf });
  assert.match(section, /1 of 2 specs passed.*\| sig-cli \| 0 \| 1 \|.*\* \[sig-cli\] two: .*did not run/s);
});

it('what fails on a node of which nothing is ours is told as theirs, and found again', () => {
  const options = { date: new Date(0), reasonOf, whose: 'theirs' } as const;
  const page = withSection('', resultsSection([specOf('late', 'failed')], { ...options, flags: '--parts' }));
  assert.match(page, /\* \[sig-apps\] Job late: \*\*theirs\*\*: it was\n/);
  assert.ok(hasFailed(page, { flags: '--parts', name: '[sig-apps] Job late' }));
  assert.ok(!hasFailed(page, { flags: '--parts', name: '[sig-apps] Job' }));
  assert.ok(!hasFailed(page, { flags: '--others', name: '[sig-apps] Job late' }));
});
