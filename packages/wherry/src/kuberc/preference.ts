/** What a file of preferences says, in either of its versions. */
export interface Preference {
  defaults: CommandDefaults[];
  aliases: Alias[];
  credentialPluginPolicy: string;
  /** Programs; undefined where the file has no such list. */
  credentialPluginAllowlist: { command: string }[] | undefined;
}

/** Other defaults of one command's flags. */
export interface CommandDefaults {
  /** Such as `get` or `set env`. */
  command: string;
  options: FlagDefault[];
}

/** Another name for a command, with flags and words of its own. */
export interface Alias {
  name: string;
  command: string;
  /** Words in front of those that are typed. */
  prependArgs: string[];
  /** Words behind them. */
  appendArgs: string[];
  options: FlagDefault[];
}

/** A flag without dashes, and its value as it is typed. */
export interface FlagDefault {
  name: string;
  default: string;
}

export const group = 'kubectl.config.k8s.io';

/** The version in which preferences are written. */
export const latestVersion = `${group}/v1beta1`;
