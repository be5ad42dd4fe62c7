import { releasePlaceholders } from './placeholders.js';
import type { ProtectedRoot } from './protect-root.js';

type Held = { readonly guard: ProtectedRoot; release(): void };

/** Count the commands that need the placeholders of a folder. The last one to end removes them. */
export function holdsOf(): {
  /** @param protect plans the protection again for each command */
  take(root: string, protect: () => ProtectedRoot): Held;
} {
  const users = new Map<string, { count: number; litter: readonly string[] }>();
  return {
    take(root, protect) {
      const guard = protect();
      const entry = users.get(root) ?? { count: 0, litter: [] };
      const litter = new Set([...guard.litter, ...entry.litter]);
      users.set(root, { count: entry.count + 1, litter: [...litter] });
      let isReleased = false;
      return {
        guard,
        release() {
          const left = users.get(root);
          if (isReleased || left === undefined) return;
          isReleased = true;
          if (left.count > 1) {
            users.set(root, { ...left, count: left.count - 1 });
            return;
          }
          users.delete(root);
          if (left.litter.length > 0) releasePlaceholders(left.litter);
        },
      };
    },
  };
}
