import { parseRule, formatRule } from '../../permissions/rules/rule.js';
import { relativeTo } from '../../permissions/paths/normalise.js';

/** Tools whose rules contain paths. */
const PATH_TOOLS: readonly string[] = ['Read', 'Edit'];

/**
 * Convert a rule with paths relative to `roots` (`/p`), so that it means the same in every folder: below home as `~/…`,
 * so that links in the path of home do not matter; elsewhere as `//…`, once for each name of the folder.
 *
 * @example anchorRule('Edit(/notes/**)', ['/home/ada/.claude'], '/home/ada') // ['Edit(~/.claude/notes/**)']
 */
export function anchorRule(
  text: string,
  roots: readonly string[],
  home: string,
): readonly string[] {
  const parsed = parseRule(text);
  if (!parsed.ok) return [text];
  const { toolName, ruleContent = '' } = parsed.value;
  const isAnchored = ruleContent.startsWith('/') && !ruleContent.startsWith('//');
  if (!isAnchored || !PATH_TOOLS.includes(toolName)) return [text];
  const contents = roots.map((root) => {
    const below = relativeTo(home, root);
    const base = below === undefined ? `/${root}` : below === '' ? '~' : `~/${below}`;
    return base + ruleContent;
  });
  return [...new Set(contents)].map((content) => formatRule({ toolName, ruleContent: content }));
}
