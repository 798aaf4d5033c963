/** Of Node's agents, of HTTP and HTTPS, what keeps connections. */
export interface KeepingAgent {
  maxFreeSockets: number;
  readonly freeSockets: Readonly<Record<string, readonly { destroy(): unknown }[] | undefined>>;
}

/** Has an agent keep no connection any more: idle ones are closed, what is under way goes on and is closed behind. */
export function retireAgent(agent: KeepingAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets))
    for (const socket of sockets ?? []) socket.destroy();
}
