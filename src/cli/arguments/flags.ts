/** Every flag of the command: what it takes, and how `--help` tells of it. */
export type FlagName = keyof typeof FLAGS;

export type Flag = {
  /** What stands for the value in the help; a flag without one takes none. */
  readonly value?: string;
  readonly aliases?: readonly string[];
  /** May be given several times. */
  readonly isList?: boolean;
  /** Takes every word up to the next flag. */
  readonly isVariadic?: boolean;
  readonly help: string;
};

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export const INPUT_FORMATS = ['text', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const FLAGS = {
  '--print': { aliases: ['-p'], help: 'run the prompt, print the answer, end' },
  '--output-format': { value: 'FORMAT', help: 'text (default), json or stream-json' },
  '--input-format': { value: 'FORMAT', help: 'text (default) or stream-json' },
  '--model': { value: 'MODEL', help: 'an id, an alias (sonnet, opus, haiku), or scripted:FILE' },
  '--permission-mode': {
    value: 'MODE',
    help: 'default (manual), acceptEdits, plan, dontAsk or bypassPermissions',
  },
  '--allowedTools': {
    value: 'RULES',
    aliases: ['--allowed-tools'],
    isList: true,
    help: 'runs without asking: "Bash(npm test *),Read"',
  },
  '--disallowedTools': {
    value: 'RULES',
    aliases: ['--disallowed-tools'],
    isList: true,
    help: 'never runs',
  },
  '--settings': { value: 'JSON|FILE', isList: true, help: 'settings as JSON text or as a file' },
  '--setting-sources': {
    value: 'LAYERS',
    help: 'the layers of settings to read: user,project,local (default: all)',
  },
  '--add-dir': {
    value: 'DIR…',
    isList: true,
    isVariadic: true,
    help: 'further folders of the workspace',
  },
  '--trust': { help: "trust this folder's settings, for this run" },
  '--mcp-config': {
    value: 'JSON|FILE…',
    isList: true,
    isVariadic: true,
    help: 'MCP servers as JSON text or as files, in the form of .mcp.json',
  },
  '--strict-mcp-config': { help: 'no MCP servers but those of --mcp-config' },
  '--agents': { value: 'JSON', help: 'agents by name: {"reviewer": {"description", "prompt", …}}' },
  '--agent': { value: 'NAME', help: "the agent that plays the session's own" },
  '--max-turns': { value: 'N', help: "most requests of the session's own agent" },
  '--continue': { aliases: ['-c'], help: 'go on with the newest session of this folder' },
  '--resume': { value: 'ID', aliases: ['-r'], help: 'go on with this session' },
  '--fork-session': { help: 'with --continue or --resume: go on with a copy' },
  '--session-id': { value: 'UUID', help: 'the id of the session' },
  '--permission-prompt-tool': {
    value: 'stdio',
    help: 'who is asked: stdio asks the client on stdin and stdout',
  },
  '--dangerously-skip-permissions': { help: 'the same as --permission-mode bypassPermissions' },
  '--json': { help: 'of config and lists: print JSON' },
  '--list': { help: 'of trust: the trusted folders' },
  '--remove': { help: 'of trust: the folder is not trusted any more' },
  '--verbose': { help: 'tell on stderr what happens' },
  '--version': { aliases: ['-v'], help: 'print the version' },
  '--help': { aliases: ['-h'], help: 'print this' },
} as const satisfies Record<string, Flag>;

const NAMES = Object.keys(FLAGS) as FlagName[]; // the object's own keys

/** The flag that a word of the command line names. */
export function findFlag(word: string): FlagName | undefined {
  return NAMES.find((name) => {
    const { aliases = [] }: Flag = FLAGS[name];
    return name === word || aliases.includes(word);
  });
}

/** The flag that was probably meant. */
export function nearestFlag(word: string): string | undefined {
  const all = NAMES.flatMap((name): readonly string[] => {
    const { aliases = [] }: Flag = FLAGS[name];
    return [name, ...aliases];
  });
  const longOnes = all.filter((name) => name.startsWith('--'));
  const ranked = longOnes
    .map((name) => ({ name, distance: editDistance(name.toLowerCase(), word.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= 3 ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
