;;; whet-mode.el --- Models of the model checker whet  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT
;; Version: 0.1.0
;; Keywords: languages
;; Package-Requires: ((emacs "26.1"))

;;; Commentary:

;; Colours, indentation and layout of .whet files; `whet-verify' (C-c C-c) verifies the model of the buffer.  With eglot, which is part of Emacs
;; since version 29, `M-x eglot' starts the language server.

;;; Code:

(require 'compile)

(defgroup whet nil "Models of the model checker whet." :group 'languages)

(defcustom whet-program "whet" "The program." :type 'string :group 'whet)

(defcustom whet-seconds 60 "How long `whet-verify' may take." :type 'number :group 'whet)

(defcustom whet-indent 2 "Blanks for each brace that is open." :type 'integer :safe #'integerp :group 'whet)

(defconst whet-declaration-words
  '("action" "channel" "clock" "const" "control" "ctl" "ctlstar" "deadlockfree" "define" "domain" "fair" "flat" "include" "init" "invariant" "lemma" "lossy" "ltl" "mu" "predicates"
    "procedure" "process" "program" "record" "safe" "states" "sync" "terminates" "type" "unreachable" "var"))

(defconst whet-words
  '("assert" "assume" "at" "atomic" "break" "choose" "else" "end" "ensures" "exists" "fails" "for" "forall" "free" "goto" "havoc" "if" "in" "let" "new" "nu" "of"
    "old" "or" "rabin" "requires" "return" "returns" "skip" "streett" "strong" "sum" "then" "unless" "when" "while"))

(defconst whet-types '("array" "bool" "data" "freed" "int" "nat" "next" "node" "real"))

(defconst whet-constants '("false" "null" "true"))

(defconst whet-functions
  '("A" "AF" "AG" "AX" "E" "EF" "EG" "EX" "F" "G" "H" "O" "R" "S" "U" "W" "X" "Y" "abs" "inf" "max" "min" "to_int" "to_real"))

(defconst whet-font-lock-keywords
  `(("^\\s-*\\(?:safe\\|unreachable\\|ctl\\|ctlstar\\|ltl\\|mu\\|assert\\|process\\|program\\|procedure\\|action\\|define\\)\\s-+\\([A-Za-z_][A-Za-z0-9_']*\\)"
     1 font-lock-function-name-face)
    (,(regexp-opt whet-declaration-words 'symbols) . font-lock-keyword-face)
    (,(regexp-opt whet-words 'symbols) . font-lock-builtin-face)
    (,(regexp-opt whet-types 'symbols) . font-lock-type-face)
    (,(regexp-opt whet-constants 'symbols) . font-lock-constant-face)
    (,(regexp-opt whet-functions 'symbols) . font-lock-function-name-face)))

(defvar whet-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    (modify-syntax-entry ?\" "." table)
    table))

(defvar whet-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'whet-verify)
    (define-key map (kbd "C-c C-f") #'whet-format)
    map))

(defun whet-indentation ()
  "Where the line of point should begin."
  (save-excursion
    (back-to-indentation)
    (let* ((closes (eq (char-after) ?\}))
           (depth (car (syntax-ppss)))
           (open (nth 1 (syntax-ppss))))
      (if (and open (not (eq (char-after open) ?\{)))
          (save-excursion (goto-char open) (1+ (current-column)))
        (* whet-indent (max 0 (if closes (1- depth) depth)))))))

(defun whet-indent-line ()
  "Indent the line by the braces that are open."
  (interactive)
  (let ((inside (> (current-column) (current-indentation))) (column (whet-indentation)))
    (if inside (save-excursion (indent-line-to column)) (indent-line-to column))))

(defun whet-verify (&optional property)
  "Verify the model of the buffer, or with a prefix argument one PROPERTY."
  (interactive (list (when current-prefix-arg (read-string "Property: "))))
  (save-buffer)
  (compile (concat (shell-quote-argument whet-program) " verify --quiet --timeout " (number-to-string whet-seconds)
                   (when property (concat " --property " (shell-quote-argument property)))
                   " " (shell-quote-argument (file-relative-name buffer-file-name)))))

(defun whet-format ()
  "Lay out the text of the buffer."
  (interactive)
  (let ((made (generate-new-buffer " *whet-format*")))
    (unwind-protect
        (if (zerop (call-process-region nil nil whet-program nil (list made nil) nil "format" "-"))
            (replace-buffer-contents made)
          (message "whet does not lay out this text"))
      (kill-buffer made))))

;;;###autoload
(define-derived-mode whet-mode prog-mode "whet"
  "Models of the model checker whet."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(//+\\|/\\*+\\)\\s-*")
  (setq-local indent-line-function #'whet-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(whet-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.whet\\'" . whet-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs `(whet-mode . (,whet-program "lsp"))))

(provide 'whet-mode)
;;; whet-mode.el ends here
