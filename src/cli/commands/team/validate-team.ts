import type { CommandLine } from '../../arguments/command-line.js';
import { readSources } from '../../arguments/read-settings.js';
import type { World } from '../../run-settings.js';
import { printJson, printLines } from '../print.js';
import { loadTeamHere } from './load-team-here.js';

/** `troupe team validate`. @returns the exit code: 2 if the file cannot be used */
export async function run(line: CommandLine, world: World): Promise<number> {
  const [file = ''] = line.words;
  const isJson = line.given.has('--json');
  const team = await loadTeamHere(file, { sources: readSources(line), isJson }, world);
  if (team === undefined) return 2;
  const { name, tasks } = team;
  const count = Object.keys(tasks).length;
  if (isJson) await printJson([{ valid: true, name, tasks: Object.keys(tasks) }]);
  else
    await printLines([`${file}: ${name}, ${count} task${count === 1 ? '' : 's'}: it can be run.`]);
  return 0;
}
