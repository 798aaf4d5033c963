/** Programs in Go are there, as for who sees this machine's files and has no time to link them: `WHERRY_JUDGES=built`. */
export const areBuilt = process.env['WHERRY_JUDGES'] === 'built';
