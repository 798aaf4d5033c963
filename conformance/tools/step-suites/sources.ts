import { type Source, sourceOf } from '../../peers/go-sources.ts';

/** Newer Go asks of those who run tests by themselves which module these are of. */
const withModulePath = (file: string, type: string): Source['changed'] => ({
  [file]: (text) => `${text}\nfunc (*${type}) ModulePath() string { return "" }\n`,
});

/** chainsaw as its module has it. */
export const chainsawSource = () =>
  sourceOf('chainsaw', {
    module: 'github.com/kyverno/chainsaw',
    version: 'v0.2.12',
    changed: withModulePath('pkg/runner/internal/test_deps.go', 'TestDeps'),
  });

/** kuttl likewise. */
export const kuttlSource = () =>
  sourceOf('kuttl', {
    module: 'github.com/kudobuilder/kuttl',
    version: 'v0.20.0',
    changed: withModulePath('pkg/test/utils/testing.go', 'testDeps'),
  });
