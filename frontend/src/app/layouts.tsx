/** The two frames pages stand in: outside projects, and inside one. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useMatches, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { del } from "../api/client";
import { useProject } from "../api/project";
import { forgetAllButSession, sessionQuery } from "../api/session";
import { Badge } from "../components/badge";
import { Button } from "../components/button";
import { SegmentedControl } from "../components/segmented-control";
import { t } from "../lib/i18n/t";
import { type Theme, THEMES, useTheme } from "../lib/theme";
import styles from "./layouts.module.css";
import { PagesNav, PartsNav, PlacesNav } from "./project-nav";

/** Screen readers must not read the English pages of leads as if they were in the language around them. */
function useContentLanguage(): "en" | undefined {
  return useMatches({ select: (matches) => matches.some(({ staticData }) => staticData.isEnglish) })
    ? "en"
    : undefined;
}

export function GeneralLayout() {
  const lang = useContentLanguage();
  return (
    <AppShell lang={lang}>
      <Outlet />
    </AppShell>
  );
}

export function ProjectLayout() {
  const project = useProject();
  const lang = useContentLanguage();
  const of = { slug: project.slug, role: project.role };
  return (
    <AppShell
      lang={lang}
      place={
        <>
          <Link to={`/${project.slug}` as "/"} className={styles["project"]} title={project.name}>
            {project.name}
          </Link>
          {project.state === "archived" && <Badge>{t("Archived")}</Badge>}
        </>
      }
      places={<PlacesNav {...of} />}
      pages={<PagesNav {...of} />}
      parts={<PartsNav {...of} />}
    >
      <Outlet />
    </AppShell>
  );
}

interface AppShellProps {
  /** Where we are, after the product's name. */
  readonly place?: ReactNode;
  /** The ways through a project: in the header, below it, and at the head of the page. */
  readonly places?: ReactNode;
  readonly pages?: ReactNode;
  readonly parts?: ReactNode;
  /** Of the content, where it is not what the rest speaks. */
  readonly lang?: string | undefined;
  readonly children: ReactNode;
}

export function AppShell({ place, places, pages, parts, lang, children }: AppShellProps) {
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#main">
        {t("Skip to main content")}
      </a>
      <div className={styles["top"]}>
        <header className={styles["header"]}>
          <Link to="/" className={styles["brand"]}>
            Assay
          </Link>
          {place && <div className={styles["place"]}>{place}</div>}
          {places}
          <div className={styles["account"]}>
            <HelpLink />
            <AccountMenu />
          </div>
        </header>
        {pages}
      </div>
      {parts}
      <main id="main" lang={lang} tabIndex={-1} className={styles["main"]}>
        {children}
      </main>
    </div>
  );
}

/** To the part of the help about this page, beside it: what is being typed or judged here stays. */
function HelpLink() {
  const place = useMatches({ select: (matches) => matches.at(-1)?.staticData.help ?? "start" });
  return (
    <a href={`/help/${place}`} target="_blank" rel="noreferrer" className={styles["help"]}>
      {t("Help")}
    </a>
  );
}

const THEME_NAMES = { system: "System", light: "Light", dark: "Dark" } as const satisfies Record<
  Theme,
  string
>;

/** Also where no page was found or one failed: whoever is signed in stays so. */
function AccountMenu() {
  const { data: session } = useQuery(sessionQuery);
  const user = session?.user;
  const id = useId();
  const [theme, setTheme] = useTheme();
  return (
    <>
      <Button variant="quiet" size="small" popoverTarget={id}>
        <span className={styles["person"]}>{user ? user.name || user.username : t("Appearance")}</span>
        <span aria-hidden="true">▾</span>
      </Button>
      <div id={id} popover="auto" className={styles["accountMenu"]}>
        {user && <p className="soft">{t("Signed in as {username}", { username: user.username })}</p>}
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
