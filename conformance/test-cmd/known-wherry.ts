import type { KnownDifference } from './outcome.ts';

const managers = 'fields are managed in the name of `wherry` and its commands, where kubectl says its own';
const recorded = 'what is recorded begins with the name of the program';

/** The lines of a file from one to another. */
const linesOf = (file: string, first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `${file}:${first + at}`);

/** Where the scripts expect what wherry does otherwise on purpose (docs/LIMITS.md), or has not. */
export const knownOfWherry: readonly KnownDifference[] = [
  { name: 'run_kubectl_results_tests', at: ['results.sh:44'], reason: 'the program has another name' },
  {
    ...{ name: 'run_pod_tests', reason: managers },
    at: [87, 378, 389, 471, 473, 546, 590, 668].map((line) => `core.sh:${line}`),
  },
  { name: 'run_kubectl_apply_tests', at: ['apply.sh:39'], reason: managers },
  { name: 'run_kubectl_server_side_apply_tests', at: ['apply.sh:411'], reason: managers },
  {
    ...{ name: 'run_kubectl_server_side_apply_tests', at: ['apply.sh:457'] },
    reason: 'servers keep the annotation of client-side apply for the manager `kubectl` alone',
  },
  {
    name: 'run_kubectl_help_tests',
    at: [...linesOf('help.sh', 28, 37), ...linesOf('help.sh', 39, 48), ...linesOf('help.sh', 54, 66)],
    reason: 'help has its own words, in English, and no flags behind `options`',
  },
  {
    ...{ name: 'run_kubectl_exec_resource_name_tests', at: ['exec.sh:101'] },
    reason: 'what no pods are found by is told with the types that they are found by',
  },
  {
    name: 'run_recursive_resources_tests',
    at: [207, 232, 260].map((line) => `generic-resources.sh:${line}`),
    reason: 'what holds no object is told of in words of its own, with its line',
  },
  {
    ...{ name: 'run_service_tests', reason: managers },
    at: ['core.sh:1032', 'core.sh:1170', 'core.sh:1179'],
  },
  { name: 'run_daemonset_tests', at: ['apps.sh:47'], reason: managers },
  {
    ...{ name: 'run_daemonset_history_tests', reason: recorded },
    at: [90, 91, 117, 118, 133, 134].map((line) => `apps.sh:${line}`),
  },
  { name: 'run_deployment_tests', at: ['apps.sh:379'], reason: managers },
  { name: 'run_rs_tests', at: ['apps.sh:768', 'apps.sh:811'], reason: managers },
  {
    ...{ name: 'run_statefulset_history_tests', reason: recorded },
    at: [538, 539, 565, 566, 581, 582].map((line) => `apps.sh:${line}`),
  },
  {
    ...{ name: 'run_swagger_tests', at: ['discovery.sh:299'] },
    reason: 'descriptions of the OpenAPI documents are of our own words',
  },
  {
    ...{ name: 'run_kubectl_sort_by_tests', at: ['get.sh:324'] },
    reason: '`-v` prints no headers of requests',
  },
  {
    ...{ name: 'run_template_output_tests', at: ['template-output.sh:214'] },
    reason: '`rollout history --template` is about each revision, as `-o go-template` is',
  },
  { name: 'run_cluster_management_tests', at: ['node-management.sh:106'], reason: managers },
  {
    ...{ name: 'run_cluster_management_tests' },
    at: [181, 182].map((line) => `node-management.sh:${line}`),
    reason: 'parameters of requests stand in another order',
  },
  {
    ...{ name: 'run_kuberc_tests', at: ['kuberc.sh:197', 'kuberc.sh:204'] },
    reason: 'the program has another name',
  },
  {
    name: 'run_kuberc_tests',
    at: [241, 243, 245, 247].map((line) => `kuberc.sh:${line}`),
    reason: '`-v` tells of requests alone, and nothing of a file of preferences that is empty',
  },
  {
    ...{ name: 'run_plugins_tests', at: [33, 37, 40].map((line) => `plugins.sh:${line}`) },
    reason: 'plug-ins are told of in our words, and those named `wherry-NAME` come first',
  },
];
