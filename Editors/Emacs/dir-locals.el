((nil . ((eval . (unless (featurep 'relay-store)
                   (load (expand-file-name ".emacs/relay-store.el"
                                           (locate-dominating-file default-directory ".dir-locals.el"))
                         nil t))))))
