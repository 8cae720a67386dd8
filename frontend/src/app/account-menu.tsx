/** Who is signed in, light or dark, and the way out. */
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { del } from "../api/client";
import { forgetAllButSession, sessionQuery } from "../api/session";
import type { User } from "../api/contract";
import { Button } from "../components/button";
import { SegmentedControl } from "../components/segmented-control";
import { t } from "../lib/i18n/t";
import { type Theme, THEMES, useTheme } from "../lib/theme";
import styles from "./account-menu.module.css";

const THEME_NAMES = { system: "System", light: "Light", dark: "Dark" } as const satisfies Record<
  Theme,
  string
>;

export function AccountMenu({ user }: { readonly user: User | null }) {
  const id = useId();
  const [theme, setTheme] = useTheme();
  return (
    <>
      <Button variant="quiet" size="small" popoverTarget={id}>
        <span className={styles["person"]}>{user ? user.name || user.username : t("Appearance")}</span>
        <span aria-hidden="true">▾</span>
      </Button>
      <div id={id} popover="auto" className={styles["menu"]}>
        {user && (
          <p className={styles["name"]}>{t("Signed in as {username}", { username: user.username })}</p>
        )}
        <SegmentedControl
          label={t("Appearance")}
          value={theme}
          options={THEMES.map((value) => ({ value, name: t(THEME_NAMES[value]) }))}
          onChange={setTheme}
        />
        {user && <Link to="/account">{t("Your account")}</Link>}
        {user && <SignOutButton />}
      </div>
    </>
  );
}

function SignOutButton() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await del("/api/session");
    forgetAllButSession(queryClient);
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    await navigate({ to: "/sign-in" });
  };
  return (
    <Button size="small" onClick={() => void leave()}>
      {t("Sign out")}
    </Button>
  );
}
