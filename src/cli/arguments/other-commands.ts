import { shellWord } from '../../api/text.js';

/** The advice on a command of another tool: a sentence, or a function of the words after the command. */
type Instead = string | ((rest: string) => string);

const RUN = 'Use troupe for a session at the terminal, troupe -p PROMPT for one prompt.';
const SETTINGS =
  'Settings are files, .claude/settings.json in a project and ~/.claude/settings.json for you. troupe config prints the effective ones.';
const KEY = 'There is nothing to log in to: set ANTHROPIC_API_KEY. troupe doctor checks it.';
const NPM = 'npm installs and updates Troupe: npm install -g, as it was installed.';
const EXTENSIONS =
  'Skills are files, .claude/skills/NAME/SKILL.md: docs/use/skills.md. Plugins: troupe plugin, docs/use/plugins.md.';
const TOKENS = 'Use /cost in a session; the result of troupe -p --output-format json has the cost.';

const INSTEAD: Readonly<Record<string, Instead>> = {
  auth: KEY,
  chat: RUN,
  'config get': 'Use troupe config.',
  'config list': 'Use troupe config.',
  'config set': SETTINGS,
  continue: 'Use troupe --continue.',
  cost: TOKENS,
  'doctor fix': 'troupe doctor changes nothing; each of its lines says how to repair a fault.',
  exec: RUN,
  extension: EXTENSIONS,
  extensions: EXTENSIONS,
  fork: 'Use troupe --resume ID --fork-session.',
  hooks: `Hooks are in settings under "hooks". ${SETTINGS}`,
  init: 'There is nothing to set up. Write instructions for agents into CLAUDE.md or AGENTS.md of the project; troupe config and troupe agents print the present state.',
  install: NPM,
  login: KEY,
  logout: KEY,
  memory: 'Write instructions for agents into CLAUDE.md or AGENTS.md of the project.',
  model: 'Use --model MODEL, or "model" in settings.',
  models: 'Use --model MODEL, or "model" in settings.',
  plugins: 'Use troupe plugin list.',
  resume: (rest) =>
    rest === ''
      ? 'Use troupe --resume ID, or troupe --continue for the newest session.'
      : `Use troupe --resume ${rest}.`,
  run: (rest) => (/\.ya?ml$/.test(rest) ? `Did you mean troupe team run ${rest}?` : RUN),
  session: 'Use troupe sessions.',
  'sessions list': 'Use troupe sessions.',
  settings: SETTINGS,
  'setup-token': KEY,
  skill: EXTENSIONS,
  skills: EXTENSIONS,
  start: RUN,
  status: 'troupe ps shows running agents; /status works in a session.',
  tasks: 'Use troupe ps.',
  uninstall: 'npm removes Troupe: npm uninstall -g troupe.',
  update: NPM,
  upgrade: NPM,
  usage: TOKENS,
  version: 'Use troupe --version.',
};

/** Return what to use here, if these words are a command of another tool. */
export function insteadOf(words: readonly string[]): string | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    if (words.length < count || !Object.hasOwn(INSTEAD, name)) continue;
    const instead = INSTEAD[name];
    const rest = words.slice(count).map(shellWord).join(' ');
    return typeof instead === 'function' ? instead(rest) : instead;
  }
  return undefined;
}
