import { messageOf } from '../../api/errors.js';
import { listPlugins } from '../../api/extensions/plugins.js';
import type { SettingsLayers } from '../../api/types.js';
import { found, type Check } from './check.js';

type Place = Parameters<typeof listPlugins>[1];

/** Check the plugins that sessions here have. No program of a plugin runs. */
export async function checkPlugins(
  layers: SettingsLayers['layers'],
  place: Place,
): Promise<readonly Check[]> {
  try {
    const listed = await listPlugins({ layers }, place);
    const enabled = listed.filter(({ isEnabled }) => isEnabled);
    const problems = enabled.flatMap(({ id, problems: own }) =>
      own.map((why) => found('plugins', 'warn', `${id}: ${why}`)),
    );
    if (problems.length > 0) return problems;
    const ids = enabled.map(({ id }) => id).join(', ');
    return [found('plugins', 'ok', ids === '' ? 'No plugin is enabled here.' : ids)];
  } catch (error) {
    return [found('plugins', 'fail', messageOf(error))];
  }
}
