import "./state/locale.js"; // before the libraries that read the locale
import { render } from "preact";
import { App } from "./app.jsx";
import { Boundary, Crash } from "./parts/boundary.jsx";

const root = document.getElementById("app")!;
try {
  root.replaceChildren();
  render(
    <Boundary at="">
      <App />
    </Boundary>,
    root,
  );
} catch (error) {
  render(<Crash error={error as Error} />, root);
}
