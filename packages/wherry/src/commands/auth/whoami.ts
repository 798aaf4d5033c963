import { kinds } from '@wherry/client';
import { hasReason, type SelfSubjectReview } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { print, printValue } from '../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../output/output-format.ts';
import { formatTable } from '../../output/table.ts';

/** Flags of `wherry auth whoami`. */
export interface WhoamiFlags extends KubeFlags {
  output?: OutputFormat;
}

/** Prints whom the server takes the caller for. */
export async function whoami(flags: WhoamiFlags): Promise<void> {
  const review = await clientFor(flags)
    .resource(kinds.selfSubjectReviews)
    .create<SelfSubjectReview>({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
    })
    .catch((error: unknown) => {
      throw inWords(error);
    });
  if (isValueFormat(flags.output)) return printValue(review, flags.output);
  const { username, uid, groups = [], extra = {} } = review.status?.userInfo ?? {};
  const list = (words: readonly string[]) => `[${words.join(' ')}]`;
  const rows = [
    ...(username ? [['Username', username]] : []),
    ...(uid ? [['UID', uid]] : []),
    ...(groups.length > 0 ? [['Groups', list(groups)]] : []),
    ...Object.entries(extra)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, values]) => [`Extra: ${key}`, list(values)]),
  ];
  print(formatTable(['ATTRIBUTE', 'VALUE'], rows));
}

function inWords(error: unknown): unknown {
  const absent = 'the selfsubjectreviews API is not enabled in the cluster';
  if (hasReason(error, 'NotFound')) return new CommandError(absent, { cause: error });
  if (!hasReason(error, 'Forbidden')) return error;
  return new CommandError(`${absent} or you do not have permission to call it`, { cause: error });
}
