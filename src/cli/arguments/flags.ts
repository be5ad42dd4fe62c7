import { nearestName } from '../../core/nearest-name.js';

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

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'markdown'] as const;
export const INPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const FLAGS = {
  '--print': { aliases: ['-p'], help: 'run the prompt, print the answer, end' },
  '--output-format': { value: 'FORMAT', help: 'text (default), json, stream-json or markdown' },
  '--input-format': { value: 'FORMAT', help: 'text (default), json or stream-json' },
  '--include-partial-messages': { help: 'with stream-json: tell replies while they come' },
  '--replay-user-messages': { help: 'with stream-json both ways: tell the prompts too' },
  '--forward-subagent-text': { help: 'with stream-json: what sub-agents say; it is always told' },
  '--json-schema': { value: 'JSON|FILE', help: 'the answer is JSON that satisfies this schema' },
  '--model': { value: 'MODEL', help: 'an id, an alias (sonnet, opus, haiku), or scripted:FILE' },
  '--fallback-model': {
    value: 'MODEL',
    help: 'stands in for the model while it is overloaded; several with commas, in this order',
  },
  '--permission-mode': {
    value: 'MODE',
    help: 'default (manual), acceptEdits, plan, dontAsk, auto or bypassPermissions',
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
  '--sandbox': { value: 'MODE', help: 'what holds commands back: bwrap, external or none' },
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
  '--system-prompt': { value: 'TEXT', help: "in place of the prompt of the session's own agent" },
  '--system-prompt-file': { value: 'FILE', help: 'the same from a file' },
  '--append-system-prompt': { value: 'TEXT', help: "after the prompt of the session's own agent" },
  '--append-system-prompt-file': { value: 'FILE', help: 'the same from a file' },
  '--effort': { value: 'LEVEL', help: 'how much to think: low, medium, high, xhigh or max' },
  '--tools': { value: 'NAMES', help: 'the built-in tools to have: "Read,Bash", "" or default' },
  '--agents': { value: 'JSON', help: 'agents by name: {"reviewer": {"description", "prompt", …}}' },
  '--agent': { value: 'NAME', help: "the agent that plays the session's own" },
  '--max-turns': { value: 'N', help: "most requests of the session's own agent" },
  '--max-concurrent-agents': { value: 'N', help: 'most agents that work at once' },
  '--max-budget-usd': {
    value: 'N',
    help: 'most USD that the session may cost, all agents together',
  },
  '--continue': { aliases: ['-c'], help: 'go on with the newest session of this folder' },
  '--resume': { value: 'ID', aliases: ['-r'], help: 'go on with this session' },
  '--fork-session': { help: 'with --continue or --resume: go on with a copy' },
  '--session-id': { value: 'UUID', help: 'the id of the session' },
  '--name': { value: 'TITLE', aliases: ['-n'], help: 'what you call the session' },
  '--no-session-persistence': { help: 'keep nothing of the session when it ends' },
  '--permission-prompt-tool': {
    value: 'TOOL',
    help: 'who is asked: stdio (the client on stdin and stdout) or mcp__server__tool',
  },
  '--dangerously-skip-permissions': { help: 'the same as --permission-mode bypassPermissions' },
  '--input': {
    value: 'NAME=VALUE',
    isList: true,
    help: 'of team run: an input of the team',
  },
  '--report': { value: 'FILE', help: 'of team run: write the report as Markdown, or as .json' },
  '--json': { help: 'of lists and of team: print JSON' },
  '--follow': { aliases: ['-f'], help: 'of log and logs: go on with what happens, until the end' },
  '--watch': { help: 'of ps: look again every second' },
  '--reason': { value: 'TEXT', help: 'of kill: what is told to whoever waits for it' },
  '--all': { help: 'of sessions: those of every folder' },
  '--mcp': { help: 'of doctor: start the MCP servers and list their tools' },
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
  return nearestName(word, longOnes, 3);
}
