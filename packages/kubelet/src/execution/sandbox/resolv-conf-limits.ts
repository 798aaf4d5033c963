import { readFileSync } from 'node:fs';
import { parseResolvConf, searchCharactersMax, searchDomainMax, searchesMax } from './dns.ts';

/** Domains of its own that the cluster puts before the machine's. */
const clusterSearches = 3;

/** What pods can't take over of the machine's resolv.conf, in upstream's words (CheckLimitsForResolvConf); undefined where all goes. */
export function resolvConfProblem({
  resolvConf,
  clusterDomain,
}: {
  resolvConf: string;
  clusterDomain: string;
}): string | undefined {
  if (resolvConf === '') return undefined;
  let searches: string[];
  try {
    ({ searches } = parseResolvConf(readFileSync(resolvConf, 'utf8')));
  } catch (error) {
    return (error as Error).message;
  }
  const most = clusterDomain === '' ? searchesMax : searchesMax - clusterSearches;
  if (searches.length > most)
    return `Resolv.conf file '${resolvConf}' contains search line consisting of more than ${most} domains!`;
  if (searches.some(({ length }) => length > searchDomainMax))
    return `Resolv.conf file "${resolvConf}" contains a search path which length is more than allowed ${searchDomainMax} chars!`;
  if (searches.join(' ').length > searchCharactersMax)
    return `Resolv.conf file '${resolvConf}' contains search line which length is more than allowed ${searchCharactersMax} chars!`;
  return undefined;
}
