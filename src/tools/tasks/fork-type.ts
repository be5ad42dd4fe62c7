/** The type of an agent that is a copy of the one that starts it, unless a definition has this name. */
export const FORK = 'fork';
