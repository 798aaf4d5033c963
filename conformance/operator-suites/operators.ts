import type { KnownFailures } from '../envtest/outcome.ts';

/** A module as the proxy has it, and the hash by which go.sum would know it. */
export interface PinnedModule {
  path: string;
  version: string;
  sum: string;
  /** The folder in it that is meant. Default: all of it. */
  part?: string;
}

/** A package of an operator that holds a suite. */
export interface OperatorSuite {
  folder: string;
  /** The test of Go's that runs Ginkgo's specs. Default: its tests are Go's own. */
  runner?: string;
  /** How many specs or tests with their parts pass: a suite that began to leave some out would show nothing. */
  passed: number;
  /** Specs that fail for reasons of their own, and these. The list may only shrink. */
  known?: KnownFailures;
}

/** An operator whose suites start a control plane by envtest. */
export interface Operator {
  module: PinnedModule;
  /** Modules that it looks for in folders of its own: by folder. */
  inner?: Readonly<Record<string, PinnedModule>>;
  /** Files that its makefile builds of kustomizations: by the file, the folder of the kustomization. */
  kustomized?: Readonly<Record<string, string>>;
  /** Build tags of its suites, with commas between them. */
  tags?: string;
  suites: readonly OperatorSuite[];
}

const jobset: Operator = {
  module: {
    path: 'sigs.k8s.io/jobset',
    version: 'v0.11.1',
    sum: 'h1:WgLEBnXTeX+4MxfVkIbfm4jIVgjvIY6Jfaei2okxKNk=',
  },
  suites: [
    { folder: 'test/integration/webhook', runner: 'TestAPIs', passed: 30 },
    {
      folder: 'test/integration/controller',
      runner: 'TestAPIs',
      passed: 57,
      known: {
        'JobSet controller jobset is created and its jobs go through a series of updates jobset with VolumeClaimPolicies should create two PVC with Delete and Retain policies':
          'fails at kube-apiserver 1.36.2, too',
      },
    },
  ],
};

const leaderWorkerSet: Operator = {
  module: {
    path: 'sigs.k8s.io/lws',
    version: 'v0.8.0',
    sum: 'h1:DdhJ8QabwTfWgbgaHH2gdf8twliioHaoSfmDXRYEVU0=',
  },
  suites: [{ folder: 'test/integration/webhooks', runner: 'TestAPIs', passed: 80 }],
};

/** Without `constrainttemplate`, which asks for policies of `v1beta1`: Kubernetes 1.36 serves none. */
const gatekeeper: Operator = {
  module: {
    path: 'github.com/open-policy-agent/gatekeeper/v3',
    version: 'v3.23.1',
    sum: 'h1:njHTm0SJ6ZEhhEgmQTpJKTGQbc99fSs4hGiEp1OIKck=',
  },
  suites: [
    { folder: 'pkg/watch', passed: 36 },
    { folder: 'pkg/readiness', passed: 81 },
    { folder: 'pkg/controller/config', passed: 20 },
    { folder: 'pkg/controller/syncset', passed: 3 },
    { folder: 'pkg/controller/webhookconfig', passed: 26 },
    { folder: 'pkg/controller/expansion', passed: 9 },
    { folder: 'pkg/controller/mutators/core', passed: 29 },
  ],
};

const clusterApi: Operator = {
  module: {
    path: 'sigs.k8s.io/cluster-api',
    version: 'v1.14.2',
    sum: 'h1:o3GFNaeNFAOEEMpDPfhCK+2CjmV6gtQ8yLEcUwCg7bA=',
  },
  inner: {
    api: {
      path: 'sigs.k8s.io/cluster-api/api',
      version: 'v1.14.2',
      sum: 'h1:B0XWZGFrb4+R1pH2nApdR9d4tcQGIhpEquRxxf36fHg=',
    },
  },
  suites: [
    { folder: 'controllers/crdmigrator', passed: 10 },
    { folder: 'internal/util/ssa/test', passed: 25 },
    { folder: 'util/patch/test', passed: 62 },
    { folder: 'core/webhooks/admission/test', passed: 44 },
    { folder: 'core/reconcilers/machine', passed: 306 },
    { folder: 'core/reconcilers/machineset', passed: 240 },
    { folder: 'core/reconcilers/cluster', passed: 214 },
    { folder: 'core/reconcilers/topology/cluster', passed: 272 },
    { folder: 'core/reconcilers/topology/cluster/structuredmerge', passed: 42 },
    { folder: 'core/reconcilers/extensionconfig', passed: 27 },
    { folder: 'core/reconcilers/clusterresourceset', passed: 31 },
  ],
};

const kueue: Operator = {
  module: {
    path: 'sigs.k8s.io/kueue',
    version: 'v0.17.0',
    sum: 'h1:7hzb38M4eKGzYW+CFv2s1L+swzzacUCHOCXxZmAV90I=',
  },
  inner: {
    'dep-crds/cluster-autoscaler': {
      path: 'k8s.io/autoscaler/cluster-autoscaler/apis',
      version: 'v0.0.0-20240830133931-adfbe7e45277',
      sum: 'h1:BibFadVS+A7XR6HMReIuHoY9n8I+8oWR8/4xGgf2BDE=',
      part: 'config/crd',
    },
  },
  kustomized: { 'config/components/crd/_output/crds-with-webhooks.yaml': 'config/components/crd' },
  suites: [
    { folder: 'test/integration/singlecluster/webhook/core', runner: 'TestAPIs', passed: 216 },
    { folder: 'test/integration/singlecluster/conversion', runner: 'TestConversion', passed: 2 },
    { folder: 'test/integration/singlecluster/controller/jobs/job', runner: 'TestAPIs', passed: 65 },
    { folder: 'test/integration/singlecluster/tas', runner: 'TestAPIs', passed: 87 },
  ],
};

const keda: Operator = {
  module: {
    path: 'github.com/kedacore/keda/v2',
    version: 'v2.21.0',
    sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=',
  },
  suites: [
    { folder: 'apis/keda/v1alpha1', passed: 143 },
    { folder: 'controllers/keda', runner: 'TestAPIs', passed: 40 },
  ],
};

/** With nodes that it tells of and nobody runs. */
const karpenter: Operator = {
  module: {
    path: 'sigs.k8s.io/karpenter',
    version: 'v1.14.0',
    sum: 'h1:+SXlqYNb9FIKRpDgPPRnphVmWbrWLw4tgzKezr372Mc=',
  },
  suites: [
    { folder: 'pkg/apis/v1', runner: 'TestAPIs', passed: 184 },
    { folder: 'pkg/controllers/capacitybuffer', runner: 'TestCapacityBuffer', passed: 56 },
    { folder: 'pkg/controllers/provisioning', runner: 'TestAPIs', passed: 219 },
  ],
};

/** Definitions that are made of graphs of others' objects, and objects of them. */
const kro: Operator = {
  module: {
    path: 'github.com/kubernetes-sigs/kro',
    version: 'v0.9.4',
    sum: 'h1:gynhldCLYW5x+M0c2Bf1ihoQTpNE68SKiXl1f6aX1kk=',
  },
  suites: [{ folder: 'test/integration/suites/core', runner: 'TestCore', passed: 146 }],
};

/** Without `vpol`: one of its tests fails now and then, at kube-apiserver 1.36, too. */
const kyverno: Operator = {
  module: {
    path: 'github.com/kyverno/kyverno',
    version: 'v1.19.1',
    sum: 'h1:/MkgFii3/VlQfKR1JpC9tVwNNVNQTt2S4U6qCsafsTU=',
  },
  tags: 'integration',
  suites: [
    { folder: 'test/integration/gpol', passed: 22 },
    { folder: 'test/integration/mpol', passed: 24 },
    { folder: 'test/integration/dpol', passed: 13 },
  ],
};

export const operators: readonly Operator[] = [
  ...[jobset, leaderWorkerSet, gatekeeper, clusterApi, kueue, keda, karpenter, kro, kyverno],
];
