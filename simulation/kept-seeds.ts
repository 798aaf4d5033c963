/** Seeds that found a defect, and what holds since it is mended. A change of the simulation may make them others. */
export const keptSeeds: readonly { seed: number; behaviour: string }[] = [
  { seed: 19, behaviour: 'the control group of a pod that went while no kubelet ran is removed' },
  { seed: 20, behaviour: 'a pod that nobody wants is stopped though another has its name' },
  { seed: 142, behaviour: 'a kubelet that was restarted starts nothing in a pod whose time is over' },
];
