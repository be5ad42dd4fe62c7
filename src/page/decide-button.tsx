import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';

/** Whether nothing can be decided at the moment. */
export const Blocked = createContext(false);

/** A button that decides a request. */
export function DecideButton({
  onDecide,
  isMain = false,
  isUnready = false,
  children,
}: {
  readonly onDecide: () => void;
  readonly isMain?: boolean;
  readonly isUnready?: boolean;
  readonly children: ComponentChildren;
}) {
  const isBlocked = useContext(Blocked);
  return (
    <button
      type="button"
      class={isMain ? 'main' : ''}
      disabled={isBlocked || isUnready}
      onClick={onDecide}
    >
      {children}
    </button>
  );
}
