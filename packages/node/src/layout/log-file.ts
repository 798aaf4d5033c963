/** The environment variable by which a process of a node knows that its output goes to that file of the node's, and to nobody else's. */
export const logFileVariable = 'WHERRY_LOG_FILE';
