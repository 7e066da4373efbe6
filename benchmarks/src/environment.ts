/** Switches of ours that would change what is measured; a run has to find every process as a user would start it. */
const switches = ['LINEWIRE_ENGINE', 'LINEWIRE_POISON', 'LINEWIRE_READING', 'NODE_DEBUG'];

/** This process's environment without the switches. Taken out, not emptied: an engine called '' does not exist. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !switches.includes(name)));
}
