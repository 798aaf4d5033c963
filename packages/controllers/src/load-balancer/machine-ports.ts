/** A port of an address. */
export interface Port {
  address: string;
  protocol: 'TCP' | 'UDP' | 'SCTP';
  port: number;
}

/** A port that nobody else can have. */
export interface HeldPort {
  release(): Promise<void>;
}

/** The ports of this machine, held by whoever stands on it. */
export interface MachinePorts {
  /** Holds a port for nobody else to listen at. Rejects with words for the service's owner where somebody does. */
  hold(port: Port): Promise<HeldPort>;
}
