import type { EphemeralVolumeSource } from '@wherry/kubeapi';
import { podClaims } from '@wherry/podrules';
import { type MessageVerdicts, noEffect } from '../../../pod/field-verdict.ts';
import { claimPlugin } from '../persistent/claim-plugin.ts';

const fields: MessageVerdicts<EphemeralVolumeSource> = {
  volumeClaimTemplate: noEffect('a controller makes the claim from it, and the claim is what is read'),
};

/** The volume of a claim that a controller makes for the pod, and that goes with it. */
export const ephemeral = claimPlugin<'ephemeral'>({
  name: 'ephemeral',
  folder: 'ephemeral-volume',
  supports: { EphemeralVolumeSource: fields },
  claim(_template, { pod, name }) {
    const { claimName = '' } = podClaims(pod).find(({ volume }) => volume.name === name) ?? {};
    return { claimName, isEphemeral: true, isReadOnly: false };
  },
});
