import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const MIN_SCALE = 0.2;
const MAX_SCALE = 2;
/** Smallest readable scale of "Fit"; larger diagrams need panning. */
const MIN_FIT = 0.4;
const STEP = 60;

/** A diagram that fits its area, with pan and zoom by pointer or keys. */
export function Canvas({
  label,
  width,
  height,
  legend,
  children,
}: {
  label: string;
  width: number;
  height: number;
  legend: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const isFitted = useRef(true);
  const fitWhole = (): void => {
    const { clientWidth, clientHeight } = box.current!;
    const whole = Math.min(clientWidth / width, clientHeight / height, 1);
    const scale = Math.max(whole, MIN_FIT);
    isFitted.current = true;
    const margin = (whole: number, part: number): number => Math.max(0, (whole - part) / 2);
    setView({
      x: margin(clientWidth, width * scale),
      y: margin(clientHeight, height * scale),
      scale,
    });
  };
  useLayoutEffect(() => {
    fitWhole();
    const observer = new ResizeObserver(() => {
      if (isFitted.current) fitWhole();
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [width, height]);
  const move = (x: number, y: number): void => {
    isFitted.current = false;
    setView((before) => ({ ...before, x: before.x + x, y: before.y + y }));
  };
  /** Zooms around a point, by default the center. */
  const zoom = (factor: number, at?: { readonly x: number; readonly y: number }): void => {
    isFitted.current = false;
    const { clientWidth, clientHeight } = box.current!;
    const { x, y } = at ?? { x: clientWidth / 2, y: clientHeight / 2 };
    setView((before) => {
      const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, before.scale * factor));
      const by = scale / before.scale;
      return { scale, x: x - (x - before.x) * by, y: y - (y - before.y) * by };
    });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => move(STEP, 0),
    ArrowRight: () => move(-STEP, 0),
    ArrowUp: () => move(0, STEP),
    ArrowDown: () => move(0, -STEP),
    "+": () => zoom(1.25),
    "-": () => zoom(0.8),
    "0": fitWhole,
  };
  return (
    <div class="canvas-place">
      <div
        ref={box}
        class="canvas"
        role="application"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
        tabIndex={0}
        onKeyDown={(event) => {
          const act = event.target === box.current ? keys[event.key] : undefined;
          if (act === undefined) return;
          event.preventDefault();
          act();
        }}
        onWheel={(event) => {
          event.preventDefault();
          const { left, top } = box.current!.getBoundingClientRect();
          const at = { x: event.clientX - left, y: event.clientY - top };
          if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 300), at);
          else move(-event.deltaX, -event.deltaY);
        }}
        onPointerDown={(event) => {
          if ((event.target as HTMLElement).closest("a, button") !== null) return;
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) {
            move(event.movementX, event.movementY);
          }
        }}
      >
        <div
          class="picture"
          style={{
            width: `${width}px`,
            height: `${height}px`,
            transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
          }}
        >
          {children}
        </div>
      </div>
      <div class="canvas-foot">
        {legend}
        <span class="space" />
        <div class="buttons" role="group" aria-label="Zoom">
          <button type="button" class="small" aria-label="Zoom out" onClick={() => zoom(0.8)}>
            −
          </button>
          <span class="faint" role="status">
            {Math.round(view.scale * 100)} %
          </span>
          <button type="button" class="small" aria-label="Zoom in" onClick={() => zoom(1.25)}>
            +
          </button>
          <button type="button" class="small" onClick={fitWhole}>
            Fit
          </button>
        </div>
      </div>
    </div>
  );
}
